import type { Texts } from '../texts.ts';

export const he: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `${product}: קוד הכניסה שלך הוא ${code}, בתוקף ל־${minutes} דקות. אין למסור אותו לאיש.`
      : `${product}: קוד הכניסה ל־${site} הוא ${code}, בתוקף ל־${minutes} דקות. אין למסור אותו לאיש.`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'הסיסמה שלך שונתה',
        changed: 'סיסמת החשבון שלך שונתה. בכל מקום אחר בוצעה יציאה.',
      },
      appAdded: {
        subject: 'הוגדרה אפליקציית אימות',
        changed: 'הוגדרה אפליקציית אימות לחשבון שלך. מעכשיו יש להזין את הקוד שלה בכל כניסה.',
      },
      appRemoved: {
        subject: 'אפליקציית האימות שלך הוסרה',
        changed:
          'אפליקציית האימות של החשבון שלך הוסרה על ידי משרד הדירקטוריון או התמיכה שלו. בוצעה יציאה מכל מקום.',
      },
      passkeyAdded: {
        subject: 'נוסף מפתח גישה',
        changed: 'נוסף מפתח גישה לחשבון שלך. מעכשיו אפשר להיכנס באמצעותו, ללא סיסמה וללא קוד.',
      },
      passkeyRemoved: {
        subject: 'מפתח הגישה שלך הוסר',
        changed: 'מפתח גישה של החשבון שלך הוסר. לא ניתן עוד להיכנס באמצעותו, ובוצעה יציאה מכל מקום אחר.',
      },
      recoveryCodeUsed: {
        subject: 'נעשה שימוש בקוד שחזור',
        changed: ({ left }) => `נעשה שימוש בקוד שחזור כדי להיכנס לחשבון שלך. קודי שחזור שנותרו: ${left}.`,
      },
    },
    account: 'חשבון',
    time: 'זמן',
    browser: 'דפדפן',
    unknownBrowser: 'לא ידוע',
    wasYou: 'אם השינוי נעשה על ידך, אין צורך לעשות דבר.',
    wasNotYou:
      'אם השינוי לא נעשה על ידך, חשוב לפעול עכשיו: נוציא את כל המחוברים לחשבון ונעזור לך לבחור סיסמה חדשה.',
    notMe: 'זה לא הייתי אני',
  },
  mailFrame: {
    organisation: ({ name }) => `החשבון שלך שייך לארגונים: ${name}`,
    support: ({ url }) => `דרושה עזרה? ${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `יש לבחור סיסמה שמספר התווים בה הוא לפחות ${count}.`,
    maximumLength: (count) => `יש לבחור סיסמה שמספר התווים בה הוא לכל היותר ${count}.`,
    notCommon: 'קל לנחש את הסיסמה הזאת. יש לבחור סיסמה אחרת.',
    notBreached: 'הסיסמה הזאת הופיעה בדליפת מידע ידועה. יש לבחור סיסמה אחרת.',
    notContainsUserName: 'יש לבחור סיסמה שאינה מבוססת על שם המשתמש שלך.',
    notContainsSiteName: 'יש לבחור סיסמה שאינה מבוססת על שם הפורטל.',
    notReused: 'כבר השתמשת בסיסמה הזאת. יש לבחור סיסמה אחרת.',
    minimumUppercase: (count) => `מספר האותיות הלטיניות הגדולות הנדרש לפחות: ${count}.`,
    minimumLowercase: (count) => `מספר האותיות הלטיניות הקטנות הנדרש לפחות: ${count}.`,
    minimumDigits: (count) => `מספר הספרות הנדרש לפחות: ${count}.`,
    minimumSpecial: (count) => `מספר התווים המיוחדים הנדרש לפחות: ${count}.`,
    atLeast: (count) => `מספר הכללים שיש לקיים לפחות, מבין הכללים על אותיות, ספרות ותווים מיוחדים: ${count}.`,
  },
};
