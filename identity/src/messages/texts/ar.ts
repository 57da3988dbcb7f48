import type { Texts } from '../texts.ts';

const plural = new Intl.PluralRules('ar');

/** Arabic counts in six forms; `count` itself stands in the last three. */
function counted(
  count: number,
  forms: { one: string; two: string; few: string; many: string; other: string },
): string {
  const form = plural.select(count);
  const text = form === 'zero' ? forms.other : forms[form];
  return text.replace('{count}', String(count));
}

const characters = {
  one: 'حرف واحد',
  two: 'حرفين',
  few: '{count} أحرف',
  many: '{count} حرفًا',
  other: '{count} حرف',
};

export const ar: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) => {
    const validity = counted(minutes, {
      one: 'دقيقة واحدة',
      two: 'دقيقتين',
      few: '{count} دقائق',
      many: '{count} دقيقة',
      other: '{count} دقيقة',
    });
    return site === undefined
      ? `${product}: رمز الدخول هو ${code}. صالح لمدة ${validity}. لا تشاركه مع أحد.`
      : `${product}: رمز الدخول إلى ${site} هو ${code}. صالح لمدة ${validity}. لا تشاركه مع أحد.`;
  },
  accountChangedMail: {
    changes: {
      password: {
        subject: 'تم تغيير كلمة المرور الخاصة بك',
        changed: 'تم تغيير كلمة مرور حسابك، وتم تسجيل خروجك من جميع الأجهزة الأخرى.',
      },
      appAdded: {
        subject: 'تم إعداد تطبيق مصادقة',
        changed: 'تم إعداد تطبيق مصادقة لحسابك. من الآن فصاعدًا سيُطلب رمزه عند تسجيل الدخول.',
      },
      appRemoved: {
        subject: 'تمت إزالة تطبيق المصادقة',
        changed:
          'أزال مكتب مجلس الإدارة أو فريق الدعم تطبيق المصادقة من حسابك، وتم تسجيل خروجك من جميع الأجهزة.',
      },
      passkeyAdded: {
        subject: 'تمت إضافة مفتاح مرور',
        changed: 'تمت إضافة مفتاح مرور إلى حسابك. يمكنك الآن تسجيل الدخول به من دون كلمة مرور أو رمز.',
      },
      passkeyRemoved: {
        subject: 'تمت إزالة مفتاح المرور',
        changed:
          'تمت إزالة مفتاح مرور من حسابك. لم يعد يتيح تسجيل الدخول، وتم تسجيل خروجك من جميع الأجهزة الأخرى.',
      },
      ownAppRemoved: {
        subject: 'تمت إزالة تطبيق المصادقة',
        changed: 'تمت إزالة تطبيق مصادقة حسابك مع رموز الاسترداد الخاصة به. تم تسجيل خروجك من كل مكان آخر.',
      },
      recoveryCodeUsed: {
        subject: 'تم استخدام رمز استرداد',
        changed: ({ left }) => `استُخدم رمز استرداد لتسجيل الدخول إلى حسابك. رموز الاسترداد المتبقية: ${left}.`,
      },
      recoveryCodesFew: {
        subject: 'بقيت رموز استرداد قليلة',
        changed: ({ left }) =>
          `استُخدم رمز استرداد لتسجيل الدخول إلى حسابك. رموز الاسترداد المتبقية: ${left}. أنشئ رموزًا جديدة في صفحة حسابك.`,
      },
      recoveryCodesMade: {
        subject: 'تم إنشاء رموز استرداد جديدة',
        changed: 'تم إنشاء رموز استرداد جديدة لحسابك. لم تعد الرموز السابقة صالحة.',
      },
    },
    account: 'الحساب',
    time: 'الوقت',
    browser: 'المتصفح',
    unknownBrowser: 'غير معروف',
    wasYou: 'إذا كنت أنت من غيّرها، فلا يلزمك فعل أي شيء.',
    wasNotYou:
      'وإذا لم تكن أنت، فتصرّف الآن: سنسجّل الخروج من حسابك في كل مكان ونساعدك على اختيار كلمة مرور جديدة.',
    notMe: 'لم أكن أنا',
  },
  mailFrame: {
    organisation: ({ name }) => `ينتمي حسابك إلى: ${name}`,
    support: ({ url }) => `هل تحتاج إلى مساعدة؟ ${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `اختر كلمة مرور لا تقل عن ${counted(count, characters)}.`,
    maximumLength: (count) => `اختر كلمة مرور لا تزيد على ${counted(count, characters)}.`,
    notCommon: 'كلمة المرور هذه سهلة التخمين. اختر كلمة مرور أخرى.',
    notBreached: 'ظهرت كلمة المرور هذه في تسريب معروف للبيانات. اختر كلمة مرور أخرى.',
    notContainsUserName: 'اختر كلمة مرور لا تعتمد على اسم المستخدم الخاص بك.',
    notContainsSiteName: 'اختر كلمة مرور لا تعتمد على اسم البوابة.',
    notReused: 'سبق أن استخدمت كلمة المرور هذه. اختر كلمة مرور أخرى.',
    minimumUppercase: (count) => `استخدم أحرفًا لاتينية كبيرة، عددها على الأقل: ${count}.`,
    minimumLowercase: (count) => `استخدم أحرفًا لاتينية صغيرة، عددها على الأقل: ${count}.`,
    minimumDigits: (count) => `عدد الأرقام المطلوب على الأقل: ${count}.`,
    minimumSpecial: (count) => `عدد الرموز الخاصة المطلوب على الأقل: ${count}.`,
    atLeast: (count) =>
      `عدد القواعد المطلوب استيفاؤها على الأقل من قواعد الأحرف والأرقام والرموز الخاصة: ${count}.`,
  },
};
