import type { RecoveryWords } from '../recovery-words.ts';

export const spanish: RecoveryWords = {
  greeting: 'Hola, {{name}}:',
  passwordLink: {
    subject: 'Su enlace para una contraseña nueva',
    request:
      'Alguien, probablemente usted, ha pedido una contraseña nueva para {{userName}}. Abra este enlace para elegirla:',
    validity: 'El enlace sirve una vez y durante {{minutes}} minutos. Solo vale el enlace más reciente.',
    notYou: 'Si no ha sido usted, no tiene que hacer nada: su contraseña sigue igual.',
    button: 'Elegir una contraseña nueva',
  },
  invitation: {
    subject: 'Su acceso a sus consejos',
    request:
      'Se ha creado una cuenta para usted con el nombre de usuario {{userName}}. Elija una contraseña para empezar:',
    validity:
      'El enlace sirve una vez, hasta el {{until}}. Después, la secretaría de su consejo puede enviarle uno nuevo.',
    button: 'Elegir una contraseña',
  },
  signsInElsewhere: {
    subject: 'Su inicio de sesión',
    request:
      'Alguien, probablemente usted, ha pedido una contraseña nueva para {{userName}}. Su organización inicia la sesión por usted, así que aquí no hay ninguna contraseña suya.',
    help: 'Si no puede iniciar sesión, consulte a su departamento de informática.',
  },
  siteNames: {
    subject: 'Sus sitios',
    list: 'Estos son sus sitios, cada uno con el nombre que debe introducir al iniciar sesión:',
    none: 'En este momento no pertenece a ningún sitio. Consulte a la secretaría del consejo.',
    signIn: 'Iniciar sesión',
    notYou: 'Si no ha pedido esto, no tiene que hacer nada.',
  },
};
