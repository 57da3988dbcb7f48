import type { Locale } from '@anteroom/contract';

/** What the page between two regions says; it is seen for a moment, or by whoever has no script. */
export type PageWords = { title: string; text: string; button: string };

export const pageWords: Readonly<Record<Locale, PageWords>> = {
  en: {
    title: 'One moment',
    text: 'You are being taken to the sign-in service of your organisation.',
    button: 'Continue',
  },
  de: {
    title: 'Einen Moment',
    text: 'Sie werden zum Anmeldedienst Ihrer Organisation weitergeleitet.',
    button: 'Weiter',
  },
  es: {
    title: 'Un momento',
    text: 'Le estamos redirigiendo al servicio de inicio de sesión de su organización.',
    button: 'Continuar',
  },
  fr: {
    title: 'Un instant',
    text: 'Nous vous dirigeons vers le service de connexion de votre organisation.',
    button: 'Continuer',
  },
  it: {
    title: 'Un momento',
    text: 'La stiamo reindirizzando al servizio di accesso della sua organizzazione.',
    button: 'Continua',
  },
  nl: {
    title: 'Een ogenblik',
    text: 'U wordt doorgestuurd naar de inlogdienst van uw organisatie.',
    button: 'Doorgaan',
  },
  pt: {
    title: 'Um momento',
    text: 'Estamos levando você ao serviço de login da sua organização.',
    button: 'Continuar',
  },
  zh: { title: '请稍候', text: '正在前往贵机构的登录服务。', button: '继续' },
  ja: {
    title: 'しばらくお待ちください',
    text: '所属する組織のサインインサービスに移動しています。',
    button: '続行',
  },
  ar: { title: 'لحظة من فضلك', text: 'جارٍ تحويلك إلى خدمة تسجيل الدخول في مؤسستك.', button: 'متابعة' },
  he: { title: 'נא להמתין רגע', text: 'מתבצעת העברה לשירות הכניסה של הארגון שלך.', button: 'המשך' },
};
