import type { Texts } from './texts.ts';

const plural = new Intl.PluralRules('ar');

type Forms = { one: string; two: string; few: string; many: string; other: string };

/** Arabic has six plural forms; the last three contain `count`. */
function counted(count: number, forms: Forms): string {
  const form = plural.select(count);
  const text = form === 'zero' ? forms.other : forms[form];
  return text.replace('{count}', String(count));
}

const characters: Forms = {
  one: 'حرف واحد',
  two: 'حرفين',
  few: '{count} أحرف',
  many: '{count} حرفًا',
  other: '{count} حرف',
};

const uppercaseLetters: Forms = {
  one: 'حرفًا لاتينيًا كبيرًا واحدًا',
  two: 'حرفين لاتينيين كبيرين',
  few: '{count} أحرف لاتينية كبيرة',
  many: '{count} حرفًا لاتينيًا كبيرًا',
  other: '{count} حرف لاتيني كبير',
};

const lowercaseLetters: Forms = {
  one: 'حرفًا لاتينيًا صغيرًا واحدًا',
  two: 'حرفين لاتينيين صغيرين',
  few: '{count} أحرف لاتينية صغيرة',
  many: '{count} حرفًا لاتينيًا صغيرًا',
  other: '{count} حرف لاتيني صغير',
};

const digits: Forms = {
  one: 'رقمًا واحدًا',
  two: 'رقمين',
  few: '{count} أرقام',
  many: '{count} رقمًا',
  other: '{count} رقم',
};

const specialCharacters: Forms = {
  one: 'رمزًا خاصًا واحدًا',
  two: 'رمزين خاصين',
  few: '{count} رموز خاصة',
  many: '{count} رمزًا خاصًا',
  other: '{count} رمز خاص',
};

const rules: Forms = {
  one: 'شرطًا واحدًا',
  two: 'شرطين',
  few: '{count} شروط',
  many: '{count} شرطًا',
  other: '{count} شرط',
};

const minutesInArabic = (minutes: number): string =>
  counted(minutes, {
    one: 'دقيقة واحدة',
    two: 'دقيقتين',
    few: '{count} دقائق',
    many: '{count} دقيقة',
    other: '{count} دقيقة',
  });

export const ar: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `${product}: رمز الدخول هو ${code}. صالح لمدة ${minutesInArabic(minutes)}. لا تشاركه مع أحد.`
      : `${product}: رمز الدخول إلى ${site} هو ${code}. صالح لمدة ${minutesInArabic(minutes)}. لا تشاركه مع أحد.`,
  newNumberSms: ({ product, code, minutes }) =>
    `${product}: رمز تأكيد رقم الهاتف هذا لحسابك هو ${code}. صالح لمدة ${minutesInArabic(minutes)}. لا تشاركه مع أحد.`,
  numberGoneSms: ({ product }) =>
    `${product}: لم يعد هذا الرقم يتلقى رموز حسابك. إذا لم تغيّر ذلك بنفسك فتواصل مع أمانة المجلس.`,
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
        changed: 'أزالت أمانة المجلس أو فريق الدعم تطبيق المصادقة من حسابك، وتم تسجيل خروجك من جميع الأجهزة.',
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
      passkeysRemoved: {
        subject: 'تمت إزالة مفاتيح المرور',
        changed:
          'أزالت أمانة المجلس أو فريق الدعم جميع مفاتيح المرور من حسابك، وتم تسجيل خروجك من جميع الأجهزة.',
      },
      ownAppRemoved: {
        subject: 'تمت إزالة تطبيق المصادقة',
        changed:
          'تمت إزالة تطبيق المصادقة من حسابك مع رموز الاسترداد الخاصة به، وتم تسجيل خروجك من جميع الأجهزة الأخرى.',
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
      phoneNumberAdded: {
        subject: 'تمت إضافة رقم هاتف',
        changed: 'أُضيف إلى حسابك رقم هاتف لاستقبال رموز الدخول، وتم تسجيل خروجك من جميع الأجهزة الأخرى.',
      },
      phoneNumberChanged: {
        subject: 'تم تغيير رقم هاتفك',
        changed:
          'تم تغيير رقم الهاتف الذي يستقبل رموز الدخول إلى حسابك، وتم تسجيل خروجك من جميع الأجهزة الأخرى.',
      },
      phoneNumberRemoved: {
        subject: 'تمت إزالة رقم هاتفك',
        changed:
          'أُزيل من حسابك رقم الهاتف الذي كان يستقبل رموز الدخول، وتم تسجيل خروجك من جميع الأجهزة الأخرى.',
      },
    },
    account: 'الحساب',
    time: 'التاريخ والوقت',
    browser: 'المتصفح',
    unknownBrowser: 'غير معروف',
    wasYou: 'إذا كنت أنت من فعل ذلك أو كنت تتوقعه، فلا يلزمك فعل أي شيء.',
    wasNotYou:
      'وإن لم يكن كذلك، فتصرّف الآن: سنسجّل الخروج من حسابك في كل مكان ونساعدك على اختيار كلمة مرور جديدة.',
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
    minimumUppercase: (count) => `استخدم ${counted(count, uppercaseLetters)} على الأقل.`,
    minimumLowercase: (count) => `استخدم ${counted(count, lowercaseLetters)} على الأقل.`,
    minimumDigits: (count) => `استخدم ${counted(count, digits)} على الأقل.`,
    minimumSpecial: (count) => `استخدم ${counted(count, specialCharacters)} على الأقل.`,
    atLeast: (count) =>
      `يجب أن تستوفي كلمة المرور ${counted(count, rules)} على الأقل من شروط الأحرف والأرقام والرموز الخاصة.`,
  },
  recoveryMails: {
    greeting: 'تحية طيبة {{name}}،',
    minutes: minutesInArabic,
    passwordLink: {
      subject: 'رابط لاختيار كلمة مرور جديدة',
      request: 'طلب شخص ما، والأرجح أنه أنت، كلمة مرور جديدة للحساب {{userName}}. افتح هذا الرابط لاختيارها:',
      validity: 'الرابط صالح لمرة واحدة ولمدة {{minutes}}. الرابط الأحدث وحده صالح.',
      notYou: 'إذا لم تكن أنت من طلبها، فلا يلزمك فعل أي شيء: تبقى كلمة مرورك كما هي.',
      button: 'اختيار كلمة مرور جديدة',
    },
    invitation: {
      subject: 'الوصول إلى مجالسك',
      request: 'تم إنشاء حساب لك باسم المستخدم {{userName}}. اختر كلمة مرور للبدء:',
      validity: 'الرابط صالح لمرة واحدة، حتى {{until}}. بعد ذلك يمكن لأمانة المجلس أن ترسل إليك رابطًا جديدًا.',
      button: 'اختيار كلمة مرور',
    },
    signsInElsewhere: {
      subject: 'تسجيل دخولك',
      request:
        'طلب شخص ما، والأرجح أنه أنت، كلمة مرور جديدة للحساب {{userName}}. أنت تسجّل الدخول عبر مؤسستك، لذلك لا توجد لك كلمة مرور هنا.',
      help: 'إذا تعذّر عليك تسجيل الدخول، فتواصل مع قسم تقنية المعلومات لديك.',
    },
    siteNames: {
      subject: 'بواباتك',
      list: 'هذه هي البوابات المتاحة لك، ومع كل منها الاسم الذي تدخله عند تسجيل الدخول:',
      none: 'لا تتوفر لك حاليًا أي بوابة. تواصل مع أمانة المجلس.',
      signIn: 'تسجيل الدخول',
      notYou: 'إذا لم تطلب هذه الرسالة، فلا يلزمك فعل أي شيء.',
    },
  },
  regionPage: {
    title: 'لحظة من فضلك',
    toSignIn: 'جارٍ تحويلك إلى خدمة تسجيل الدخول في مؤسستك. إذا بقيت هذه الصفحة مفتوحة، فاختر «متابعة».',
    toApplication: 'جارٍ إعادتك إلى بوابة المجلس. إذا بقيت هذه الصفحة مفتوحة، فاختر «متابعة».',
    button: 'متابعة',
  },
};
