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
      ? `${product}: رمز تسجيل الدخول: ${code}. صالح ${minutesInArabic(minutes)}، ولا يُعطى لأحد.`
      : `${product}: رمز تسجيل الدخول إلى ${site}: ${code}. صالح ${minutesInArabic(minutes)}، ولا يُعطى لأحد.`,
  codeMailSubject: 'رمز تسجيل الدخول',
  newNumberSms: ({ product, code, minutes }) =>
    `${product}: رمز تأكيد رقم الهاتف هذا لحسابك: ${code}. صالح ${minutesInArabic(minutes)}، ولا يُعطى لأحد.`,
  numberGoneSms: ({ product }) =>
    `${product}: لم يعد هذا الرقم يتلقى رموز حسابك. إذا لم يكن هذا التغيير منك، فيُرجى التواصل مع أمانة المجلس.`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'تم تغيير كلمة مرورك',
        changed: 'تم تغيير كلمة مرور حسابك، وتم تسجيل خروجك من كل مكان آخر.',
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
        changed:
          'تمت إضافة مفتاح مرور إلى حسابك. يمكنك الآن تسجيل الدخول به من دون كلمة مرور أو رمز. عند تسجيل الدخول بكلمة المرور، قد نطلب مفتاح المرور هذا.',
      },
      passkeyRemoved: {
        subject: 'تمت إزالة مفتاح المرور',
        changed: 'تمت إزالة مفتاح مرور من حسابك. لم يعد يتيح تسجيل الدخول، وتم تسجيل خروجك من كل مكان آخر.',
      },
      passkeysRemoved: {
        subject: 'تمت إزالة مفاتيح المرور',
        changed:
          'أزالت أمانة المجلس أو فريق الدعم جميع مفاتيح المرور من حسابك، وتم تسجيل خروجك من جميع الأجهزة.',
      },
      ownAppRemoved: {
        subject: 'تمت إزالة تطبيق المصادقة',
        changed:
          'تمت إزالة تطبيق المصادقة من حسابك مع رموز الاسترداد الخاصة به، وتم تسجيل خروجك من كل مكان آخر.',
      },
      recoveryCodeUsed: {
        subject: 'تم استخدام رمز استرداد',
        changed: ({ left }) => `استُخدم رمز استرداد لتسجيل الدخول إلى حسابك. رموز الاسترداد المتبقية: ${left}.`,
      },
      recoveryCodesFew: {
        subject: 'بقيت رموز استرداد قليلة',
        changed: ({ left }) =>
          `استُخدم رمز استرداد لتسجيل الدخول إلى حسابك. رموز الاسترداد المتبقية: ${left}. يُرجى إنشاء رموز جديدة في صفحة حسابك.`,
      },
      recoveryCodesMade: {
        subject: 'تم إنشاء رموز استرداد جديدة',
        changed: 'تم إنشاء رموز استرداد جديدة لحسابك. لم تعد الرموز السابقة صالحة.',
      },
      phoneNumberAdded: {
        subject: 'تمت إضافة رقم هاتف',
        changed: 'أُضيف إلى حسابك رقم هاتف لاستقبال رموز تسجيل الدخول، وتم تسجيل خروجك من كل مكان آخر.',
      },
      phoneNumberChanged: {
        subject: 'تم تغيير رقم هاتفك',
        changed:
          'تم تغيير رقم الهاتف الذي يستقبل رموز تسجيل الدخول إلى حسابك، وتم تسجيل خروجك من كل مكان آخر.',
      },
      phoneNumberRemoved: {
        subject: 'تمت إزالة رقم هاتفك',
        changed:
          'أُزيل من حسابك رقم الهاتف الذي كان يستقبل رموز تسجيل الدخول، وتم تسجيل خروجك من كل مكان آخر.',
      },
      officeSetNumber: {
        subject: 'تم تغيير رقم هاتفك',
        changed:
          'غيّرت أمانة المجلس أو فريق الدعم رقم الهاتف الذي يستقبل رموز تسجيل الدخول إلى حسابك، وتم تسجيل خروجك من جميع الأجهزة.',
      },
      officeRemovedNumber: {
        subject: 'تمت إزالة رقم هاتفك',
        changed:
          'أزالت أمانة المجلس أو فريق الدعم من حسابك رقم الهاتف الذي كان يستقبل رموز تسجيل الدخول، وتم تسجيل خروجك من جميع الأجهزة.',
      },
      lostPhone: {
        subject: 'لم يعد هاتفك المفقود صالحًا لتسجيل الدخول',
        changed:
          'أزالت أمانة المجلس أو فريق الدعم هاتفك المفقود من حسابك: رقمه وتطبيق المصادقة ومفاتيح المرور والأجهزة التي لم يكن يُطلب عليها رمز، وتم تسجيل خروجك من جميع الأجهزة.',
      },
    },
    account: 'الحساب',
    time: 'التاريخ والوقت',
    browser: 'المتصفح',
    wasYou: 'إذا كان هذا التغيير منك أو كان متوقعًا، فلا يلزم فعل أي شيء.',
    wasNotYou:
      'وإن لم يكن كذلك، فيُرجى التصرف الآن: سنسجّل الخروج من حسابك في كل مكان ونساعدك على اختيار كلمة مرور جديدة.',
    notMe: 'لم أكن أنا',
  },
  mailFrame: {
    organisation: ({ name }) => `ينتمي حسابك إلى: ${name}`,
    support: ({ url }) => `للمساعدة: ${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `كلمة المرور هذه قصيرة جدًا. الحد الأدنى ${counted(count, characters)}.`,
    maximumLength: (count) => `كلمة المرور هذه طويلة جدًا. الحد الأقصى ${counted(count, characters)}.`,
    notCommon: 'كلمة المرور هذه سهلة التخمين. يُرجى اختيار كلمة مرور أخرى.',
    notBreached: 'ظهرت كلمة المرور هذه في تسريب معروف للبيانات. يُرجى اختيار كلمة مرور أخرى.',
    notContainsUserName: 'كلمة المرور هذه مبنية على اسم المستخدم. يُرجى اختيار كلمة مرور أخرى.',
    notContainsSiteName: 'كلمة المرور هذه مبنية على اسم مؤسستك. يُرجى اختيار كلمة مرور أخرى.',
    notReused: 'سبق أن استخدمت كلمة المرور هذه. يُرجى اختيار كلمة مرور أخرى.',
    minimumUppercase: (count) => `يُرجى استخدام ${counted(count, uppercaseLetters)} على الأقل.`,
    minimumLowercase: (count) => `يُرجى استخدام ${counted(count, lowercaseLetters)} على الأقل.`,
    minimumDigits: (count) => `يُرجى استخدام ${counted(count, digits)} على الأقل.`,
    minimumSpecial: (count) => `يُرجى استخدام ${counted(count, specialCharacters)} على الأقل.`,
    atLeast: (count) =>
      `يجب أن تستوفي كلمة المرور ${counted(count, rules)} على الأقل من شروط الأحرف والأرقام والرموز الخاصة.`,
  },
  recoveryMails: {
    greeting: 'تحية طيبة {{name}}،',
    minutes: minutesInArabic,
    passwordLink: {
      subject: 'رابط لاختيار كلمة مرور جديدة',
      request:
        'طلب شخص ما، والأرجح أنه أنت، كلمة مرور جديدة للحساب {{userName}}. يُرجى فتح هذا الرابط لاختيارها:',
      validity: 'الرابط صالح لمرة واحدة ولمدة {{minutes}}. الرابط الأحدث وحده صالح.',
      notYou: 'إذا لم يكن هذا الطلب منك، فلا يلزم فعل أي شيء: لن يتغيّر شيء ما لم يُستخدم هذا الرابط.',
      button: 'اختيار كلمة مرور جديدة',
    },
    invitation: {
      subject: 'الوصول إلى مجالسك',
      request: 'تم إنشاء حساب لك باسم المستخدم {{userName}}. يُرجى اختيار كلمة مرور للبدء:',
      validity: 'الرابط صالح لمرة واحدة، حتى {{until}}. بعد ذلك يمكن لأمانة المجلس أن ترسل إليك رابطًا جديدًا.',
      notYou: 'إذا لم تكن هذه الدعوة متوقعة، فلا يلزم فعل أي شيء.',
      button: 'اختيار كلمة مرور',
    },
    signsInElsewhere: {
      subject: 'طريقة تسجيل دخولك',
      request:
        'طلب شخص ما، والأرجح أنه أنت، كلمة مرور جديدة للحساب {{userName}}. يتم تسجيل دخولك عبر مؤسستك، لذلك لا توجد لك كلمة مرور هنا.',
      help: 'إذا تعذّر عليك تسجيل الدخول، فيُرجى التواصل مع قسم تقنية المعلومات لديك.',
    },
    siteNames: {
      subject: 'أسماء بواباتك',
      list: 'هذه هي المجالس المتاحة لك، ومع كل منها اسم البوابة المطلوب عند تسجيل الدخول:',
      none: 'لا يتوفر لك حاليًا أي مجلس. يُرجى التواصل مع أمانة المجلس.',
      signIn: 'تسجيل الدخول',
      notYou: 'إذا لم يكن هذا الطلب منك، فلا يلزم فعل أي شيء.',
    },
  },
  boardMails: {
    notExpected: 'إذا لم يكن ذلك متوقعًا، فيُرجى التواصل مع أمانة المجلس أو فريق الدعم.',
    newBoard: {
      subject: 'يمكنك الآن الوصول إلى مجلس آخر',
      text: ({ site, userName }) =>
        `يمكنك الآن الوصول إلى ${site}. يُرجى تسجيل الدخول باسم المستخدم ${userName}.`,
      button: 'تسجيل الدخول',
    },
    administratorAdded: {
      subject: 'عضو جديد في أمانة المجلس',
      text: ({ person, site }) => `يمكن الآن لـ ${person} إدارة الأشخاص في ${site}.`,
    },
    administratorRemoved: {
      subject: 'مغادرة أحد أعضاء أمانة المجلس',
      text: ({ person, site }) => `لم يعد بإمكان ${person} إدارة الأشخاص في ${site}.`,
    },
    addressChanged: {
      subject: 'تم تغيير بريدك الإلكتروني',
      text: ({ userName }) =>
        `غيّرت أمانة المجلس أو فريق الدعم البريد الإلكتروني للحساب ${userName}. لن تصل رسائله إلى هذا العنوان بعد الآن.`,
    },
  },
  tooMuchDataPage: {
    title: 'يتعذر فتح هذه الصفحة',
    text: 'يرسل متصفحك بيانات أكثر مما يمكننا قبوله. يُرجى حذف ملفات تعريف الارتباط لهذه الصفحة من إعدادات المتصفح، ثم المحاولة مجددًا.',
  },
  forwardingPage: {
    title: 'لحظة من فضلك',
    toSignIn:
      'جارٍ تحويلك إلى خدمة تسجيل الدخول في مؤسستك. إذا بقيت هذه الصفحة مفتوحة، فيُرجى اختيار «متابعة».',
    toApplication: 'جارٍ إعادتك إلى بوابة المجلس. إذا بقيت هذه الصفحة مفتوحة، فيُرجى اختيار «متابعة».',
    button: 'متابعة',
  },
};
