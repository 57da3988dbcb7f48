import type { Texts } from './texts.ts';

export const es: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `${product}: ${code} es su código de acceso. Vale ${minutes} minutos. No lo comparta.`
      : `${product}: ${code} es su código de acceso para ${site}. Vale ${minutes} minutos. No lo comparta.`,
  codeMailSubject: 'Su código de acceso',
  newNumberSms: ({ product, code, minutes }) =>
    `${product}: ${code} es el código para confirmar este número en su cuenta. Vale ${minutes} minutos. No lo comparta.`,
  numberGoneSms: ({ product }) =>
    `${product}: este número ya no recibe los códigos de su cuenta. Si no ha sido usted, avise a la secretaría del consejo.`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'Se ha cambiado su contraseña',
        changed:
          'Se ha cambiado la contraseña de su cuenta. Se ha cerrado su sesión en todos los demás navegadores.',
      },
      appAdded: {
        subject: 'Se ha configurado una aplicación de autenticación',
        changed:
          'Se ha configurado una aplicación de autenticación para su cuenta. A partir de ahora se pedirá su código al iniciar sesión.',
      },
      appRemoved: {
        subject: 'Se ha eliminado su aplicación de autenticación',
        changed:
          'La secretaría del consejo o el servicio de asistencia ha eliminado la aplicación de autenticación de su cuenta. Se ha cerrado su sesión en todos los navegadores.',
      },
      passkeyAdded: {
        subject: 'Se ha añadido una llave de acceso',
        changed:
          'Se ha añadido una llave de acceso a su cuenta. Ahora puede iniciar sesión con ella, sin contraseña ni código. Si inicia sesión con la contraseña, es posible que le pidamos esta llave de acceso.',
      },
      passkeyRemoved: {
        subject: 'Se ha eliminado su llave de acceso',
        changed:
          'Se ha eliminado una llave de acceso de su cuenta. Ya no sirve para iniciar sesión, y se ha cerrado su sesión en todos los demás navegadores.',
      },
      passkeysRemoved: {
        subject: 'Se han eliminado sus llaves de acceso',
        changed:
          'La secretaría del consejo o el servicio de asistencia ha eliminado todas las llaves de acceso de su cuenta. Se ha cerrado su sesión en todos los navegadores.',
      },
      ownAppRemoved: {
        subject: 'Se ha eliminado su aplicación de autenticación',
        changed:
          'Se ha eliminado la aplicación de autenticación de su cuenta, con sus códigos de recuperación. Se ha cerrado su sesión en todos los demás navegadores.',
      },
      recoveryCodeUsed: {
        subject: 'Se ha usado un código de recuperación',
        changed: ({ left }) =>
          `Se ha usado un código de recuperación para iniciar sesión en su cuenta. Códigos de recuperación restantes: ${left}.`,
      },
      recoveryCodesFew: {
        subject: 'Quedan pocos códigos de recuperación',
        changed: ({ left }) =>
          `Se ha usado un código de recuperación para iniciar sesión en su cuenta. Códigos de recuperación restantes: ${left}. Cree otros nuevos en la página de su cuenta.`,
      },
      recoveryCodesMade: {
        subject: 'Se han creado códigos de recuperación nuevos',
        changed: 'Se han creado códigos de recuperación nuevos para su cuenta. Los anteriores ya no sirven.',
      },
      phoneNumberAdded: {
        subject: 'Se ha añadido un número de teléfono',
        changed:
          'Se ha añadido a su cuenta un número de teléfono para los códigos de acceso. Se ha cerrado su sesión en todos los demás navegadores.',
      },
      phoneNumberChanged: {
        subject: 'Se ha cambiado su número de teléfono',
        changed:
          'Se ha cambiado el número de teléfono al que se envían sus códigos de acceso. Se ha cerrado su sesión en todos los demás navegadores.',
      },
      phoneNumberRemoved: {
        subject: 'Se ha eliminado su número de teléfono',
        changed:
          'Se ha eliminado de su cuenta el número de teléfono para los códigos de acceso. Se ha cerrado su sesión en todos los demás navegadores.',
      },
      officeSetNumber: {
        subject: 'Se ha cambiado su número de teléfono',
        changed:
          'La secretaría del consejo o el servicio de asistencia ha cambiado el número de teléfono al que se envían sus códigos de acceso. Se ha cerrado su sesión en todos los navegadores.',
      },
      officeRemovedNumber: {
        subject: 'Se ha eliminado su número de teléfono',
        changed:
          'La secretaría del consejo o el servicio de asistencia ha eliminado de su cuenta el número de teléfono para los códigos de acceso. Se ha cerrado su sesión en todos los navegadores.',
      },
      lostPhone: {
        subject: 'Su teléfono perdido ya no permite iniciar sesión',
        changed:
          'La secretaría del consejo o el servicio de asistencia ha eliminado de su cuenta el teléfono perdido: su número, la aplicación de autenticación, las llaves de acceso y los dispositivos en los que no se pedía un código. Se ha cerrado su sesión en todos los navegadores.',
      },
    },
    account: 'Cuenta',
    time: 'Fecha y hora',
    browser: 'Navegador',
    wasYou: 'Si ha sido usted o lo esperaba, no tiene que hacer nada.',
    wasNotYou:
      'Si no es así, actúe ahora: cerraremos todas las sesiones de su cuenta y le ayudaremos a elegir una contraseña nueva.',
    notMe: 'No he sido yo',
  },
  mailFrame: {
    organisation: ({ name }) => `Su cuenta pertenece a: ${name}`,
    support: ({ url }) => `¿Necesita ayuda? ${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `Esta contraseña es demasiado corta. Use al menos ${count} caracteres.`,
    maximumLength: (count) => `Esta contraseña es demasiado larga. Use como máximo ${count} caracteres.`,
    notCommon: 'Esta contraseña es fácil de adivinar. Elija otra.',
    notBreached: 'Esta contraseña ha aparecido en una filtración de datos conocida. Elija otra.',
    notContainsUserName: 'Esta contraseña se basa en su nombre de usuario. Elija otra.',
    notContainsSiteName: 'Esta contraseña se basa en el nombre de su organización. Elija otra.',
    notReused: 'Ya ha usado esta contraseña. Elija otra.',
    minimumUppercase: (count) =>
      count === 1 ? 'Añada una letra mayúscula.' : `Use al menos ${count} letras mayúsculas.`,
    minimumLowercase: (count) =>
      count === 1 ? 'Añada una letra minúscula.' : `Use al menos ${count} letras minúsculas.`,
    minimumDigits: (count) => (count === 1 ? 'Añada una cifra.' : `Use al menos ${count} cifras.`),
    minimumSpecial: (count) =>
      count === 1 ? 'Añada un carácter especial.' : `Use al menos ${count} caracteres especiales.`,
    atLeast: (count) =>
      `Su contraseña debe cumplir al menos ${count} de las condiciones sobre letras, cifras y caracteres especiales.`,
  },
  recoveryMails: {
    greeting: 'Buenos días, {{name}}:',
    passwordLink: {
      subject: 'Su enlace para una contraseña nueva',
      request:
        'Alguien, probablemente usted, ha solicitado una contraseña nueva para {{userName}}. Abra este enlace para elegirla:',
      validity:
        'El enlace solo puede usarse una vez y caduca a los {{minutes}} minutos. Solo vale el enlace más reciente.',
      notYou: 'Si no ha sido usted, no tiene que hacer nada: mientras no se use este enlace, nada cambiará.',
      button: 'Elegir una contraseña nueva',
    },
    invitation: {
      subject: 'Su acceso a sus consejos de administración',
      request:
        'Se ha creado una cuenta para usted con el nombre de usuario {{userName}}. Elija una contraseña para empezar:',
      validity:
        'El enlace solo puede usarse una vez y caduca el {{until}}. Después, la secretaría del consejo puede enviarle uno nuevo.',
      notYou: 'Si no esperaba esta invitación, no tiene que hacer nada.',
      button: 'Elegir una contraseña',
    },
    signsInElsewhere: {
      subject: 'Su inicio de sesión',
      request:
        'Alguien, probablemente usted, ha solicitado una contraseña nueva para {{userName}}. Usted inicia sesión a través de su organización, por lo que aquí no tiene ninguna contraseña.',
      help: 'Si no puede iniciar sesión, consulte a su departamento de informática.',
    },
    siteNames: {
      subject: 'Sus nombres de portal',
      list: 'Estos son los consejos de administración a los que tiene acceso, cada uno con el nombre del portal que debe introducir al iniciar sesión:',
      none: 'En este momento no tiene acceso a ningún consejo de administración. Consulte a la secretaría del consejo.',
      signIn: 'Iniciar sesión',
      notYou: 'Si no ha solicitado esto, no tiene que hacer nada.',
    },
  },
  boardMails: {
    notExpected:
      'Si no lo esperaba, póngase en contacto con la secretaría del consejo o con el servicio de asistencia.',
    newBoard: {
      subject: 'Ya tiene acceso a otro consejo de administración',
      text: ({ site, userName }) =>
        `Ya tiene acceso a ${site}. Inicie sesión con el nombre de usuario ${userName}.`,
      button: 'Iniciar sesión',
    },
    administratorAdded: {
      subject: 'Hay un nuevo miembro en la secretaría del consejo',
      text: ({ person, site }) => `Ahora ${person} puede gestionar a las personas de ${site}.`,
    },
    administratorRemoved: {
      subject: 'Un miembro ha dejado la secretaría del consejo',
      text: ({ person, site }) => `${person} ya no puede gestionar a las personas de ${site}.`,
    },
    addressChanged: {
      subject: 'Se ha cambiado su dirección de correo electrónico',
      text: ({ userName }) =>
        `La secretaría del consejo o el servicio de asistencia ha cambiado la dirección de correo electrónico de la cuenta ${userName}. Los mensajes de la cuenta ya no llegan a esta dirección.`,
    },
  },
  tooMuchDataPage: {
    title: 'No se puede abrir esta página',
    text: 'Su navegador envía más datos de los que podemos aceptar. Elimine las cookies de esta página en la configuración del navegador y vuelva a intentarlo.',
  },
  forwardingPage: {
    title: 'Un momento',
    toSignIn:
      'Le estamos redirigiendo al servicio de inicio de sesión de su organización. Si esta página sigue abierta, elija «Continuar».',
    toApplication:
      'Le estamos llevando de vuelta al portal de su consejo de administración. Si esta página sigue abierta, elija «Continuar».',
    button: 'Continuar',
  },
};
