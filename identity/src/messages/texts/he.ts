import type { Texts } from '../texts.ts';

export const he: Texts = {
  secondFactorSms: ({ code, minutes }) =>
    `קוד הכניסה שלך הוא ${code}. הקוד בתוקף למשך ${minutes} דקות. אין למסור אותו לאיש.`,
  passwordChangedMail: {
    subject: 'הסיסמה שלך שונתה',
    text: ({ at }) =>
      [
        `הסיסמה המשמשת לכניסה לדירקטוריונים שלך שונתה ב־\u2068${at}\u2069 (UTC).`,
        'בכל שאר המכשירים הכניסה שלך נותקה.',
        '',
        'אם השינוי נעשה על ידך, אין צורך לעשות דבר.',
        'אם לא, יש לפנות מיד למזכירות הדירקטוריון.',
      ].join('\n'),
  },
  passwordRules: {
    minimumLength: (count) => `יש לבחור סיסמה שמספר התווים בה הוא לפחות ${count}.`,
    maximumLength: (count) => `יש לבחור סיסמה שמספר התווים בה הוא לכל היותר ${count}.`,
    notCommon: 'הסיסמה הזאת היא מהראשונות שקל לנחש. יש לבחור סיסמה אחרת.',
    notBreached: 'הסיסמה הזאת הופיעה בדליפת מידע ידועה. יש לבחור סיסמה אחרת.',
    notContainsUserName: 'יש לבחור סיסמה שאינה מבוססת על שם המשתמש שלך.',
    notContainsSiteName: 'יש לבחור סיסמה שאינה מבוססת על שם האתר.',
    notReused: 'כבר השתמשת בסיסמה הזאת. יש לבחור סיסמה אחרת.',
    minimumUppercase: (count) => `מספר האותיות הלטיניות הגדולות הנדרש לפחות: ${count}.`,
    minimumLowercase: (count) => `מספר האותיות הלטיניות הקטנות הנדרש לפחות: ${count}.`,
    minimumDigits: (count) => `מספר הספרות הנדרש לפחות: ${count}.`,
    minimumSpecial: (count) => `מספר התווים המיוחדים הנדרש לפחות: ${count}.`,
    atLeast: (count) => `מספר הכללים שיש לקיים לפחות, מבין הכללים על אותיות, ספרות ותווים מיוחדים: ${count}.`,
  },
};
