import type { Texts } from '../texts.ts';

export const es: Texts = {
  secondFactorSms: ({ code, minutes }) =>
    `${code} es su código de inicio de sesión. Vale ${minutes} minutos. No lo comparta con nadie.`,
  passwordChangedMail: {
    subject: 'Se ha cambiado su contraseña',
    text: ({ at }) =>
      [
        `La contraseña con la que accede a sus consejos se cambió el ${at} (UTC).`,
        'En los demás dispositivos se ha cerrado su sesión.',
        '',
        'Si ha sido usted, no tiene que hacer nada.',
        'Si no ha sido usted, avise de inmediato a la secretaría del consejo.',
      ].join('\n'),
  },
  passwordRules: {
    minimumLength: (count) => `Elija una contraseña de al menos ${count} caracteres.`,
    maximumLength: (count) => `Elija una contraseña de ${count} caracteres como máximo.`,
    notCommon: 'Esta contraseña es una de las primeras que alguien probaría. Elija otra.',
    notBreached: 'Esta contraseña ha aparecido en una filtración de datos conocida. Elija otra.',
    notContainsUserName: 'Elija una contraseña que no se base en su nombre de usuario.',
    notContainsSiteName: 'Elija una contraseña que no se base en el nombre del sitio.',
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
};
