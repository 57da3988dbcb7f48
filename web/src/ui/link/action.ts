/** The names by which support scripts find the links and buttons of the frame (wire contract, "Names in the page"). */
export type FrameAction =
  | 'forgot-site'
  | 'forgot-credentials'
  | 'back-to-site'
  | 'not-your-site'
  | 'email-sites'
  | 'back-to-boards'
  | 'back'
  | 'cancel'
  | 'sign-out'
  | 'resend-code'
  | 'start-again'
  | 'privacy-policy'
  | 'global-support'
  | 'language'
  | 'show-password'
  | 'phone-number-info'
  | 'dismiss';
