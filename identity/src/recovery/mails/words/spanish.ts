import type { RecoveryWords } from '../recovery-words.ts';

export const spanish: RecoveryWords = {
  greeting: 'Buenos días, {{name}}:',
  passwordLink: {
    subject: 'Su enlace para una contraseña nueva',
    request:
      'Alguien, probablemente usted, ha solicitado una contraseña nueva para {{userName}}. Abra este enlace para elegirla:',
    validity:
      'El enlace solo puede usarse una vez y caduca a los {{minutes}} minutos. Solo vale el enlace más reciente.',
    notYou: 'Si no ha sido usted, no tiene que hacer nada: su contraseña sigue igual.',
    button: 'Elegir una contraseña nueva',
  },
  invitation: {
    subject: 'Su acceso a sus consejos',
    request:
      'Se ha creado una cuenta para usted con el nombre de usuario {{userName}}. Elija una contraseña para empezar:',
    validity:
      'El enlace solo puede usarse una vez y caduca el {{until}}. Después, la secretaría de su consejo puede enviarle uno nuevo.',
    button: 'Elegir una contraseña',
  },
  signsInElsewhere: {
    subject: 'Su inicio de sesión',
    request:
      'Alguien, probablemente usted, ha solicitado una contraseña nueva para {{userName}}. Usted accede a través de su organización, así que aquí no hay ninguna contraseña suya.',
    help: 'Si no puede iniciar sesión, consulte a su departamento de informática.',
  },
  siteNames: {
    subject: 'Sus portales',
    list: 'Estos son los portales a los que tiene acceso, cada uno con el nombre que debe introducir al iniciar sesión:',
    none: 'En este momento no tiene acceso a ningún portal. Consulte a la secretaría del consejo.',
    signIn: 'Iniciar sesión',
    notYou: 'Si no ha solicitado esto, no tiene que hacer nada.',
  },
};
