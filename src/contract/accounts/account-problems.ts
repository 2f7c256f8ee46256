/** API errors about the owner's profile, account and login (rule U1). */
export const ACCOUNT_PROBLEMS = {
  'account.wrong_password': { status: 403, title: 'This password is incorrect. Please try again.' },
  'account.first_name_required': { status: 400, title: 'First name is required' },
  'account.email_required': { status: 400, title: 'Email is required' },
  'account.password_required': { status: 400, title: 'Please enter your current password.' },
  'account.wrong_code': {
    status: 403,
    title: 'This code is incorrect. Please enter the current code from your app.',
  },
  'account.code_required': { status: 400, title: 'Please enter the code from your app.' },
  'account.code_locked': {
    status: 429,
    title: 'Too many wrong codes. Please wait 15 minutes and try again.',
  },
  'account.second_factor_unreadable': {
    status: 409,
    title:
      'We can’t check your second factor, because this server’s key has changed. Please contact the site operator.',
  },
  'account.two_factor_on': { status: 409, title: 'Two-factor authentication is already on.' },
  'account.two_factor_off': {
    status: 409,
    title: 'Two-factor authentication isn’t set up. Please start again.',
  },
  'account.session_not_found': { status: 404, title: 'This device is already signed out.' },
  'setup.not_found': { status: 404, title: 'This account has no set-up.' },
  'setup.calendar_missing': { status: 409, title: 'Please start with the first step of the set-up.' },
  'setup.services_saved': {
    status: 409,
    title:
      'Services were already saved in another tab, so these weren’t added. You can add them under Appointment Types.',
  },
  'auth.second_factor_expired': {
    status: 401,
    title: 'This login took too long or had too many wrong codes. Please log in again.',
  },
} as const satisfies Record<string, { status: number; title: string }>
