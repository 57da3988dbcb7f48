import type { RecoveryWords } from '../recovery-words.ts';

export const spanish: RecoveryWords = {
  greeting: 'Hola, {{name}}:',
  passwordLink: {
    subject: 'Su enlace para una contraseña nueva',
    request:
      'Alguien, probablemente usted, ha pedido una contraseña nueva para {{userName}}. Abra este enlace para elegirla:',
    validity: 'El enlace sirve una vez y durante {{minutes}} minutos. Solo vale el enlace más reciente.',
    notYou: 'Si no ha sido usted, no tiene que hacer nada: su contraseña sigue igual.',
  },
  signsInElsewhere: {
    subject: 'Su inicio de sesión',
    request:
      'Alguien, probablemente usted, ha pedido una contraseña nueva para {{userName}}. Su organización inicia la sesión por usted, así que aquí no hay ninguna contraseña suya.',
    help: 'Si no puede iniciar sesión, consulte a su departamento de informática.',
  },
  siteNames: {
    subject: 'Sus sitios',
    list: 'Estos son los sitios a los que pertenece. Al iniciar sesión, introduzca como sitio el nombre que sigue a los dos puntos:',
    none: 'En este momento no pertenece a ningún sitio. Consulte a la secretaría del consejo.',
    signIn: 'Puede iniciar sesión aquí:',
    notYou: 'Si no ha pedido esto, no tiene que hacer nada.',
  },
};
