/** API errors about the owner's profile, account and login (rule U1). */
export const ACCOUNT_PROBLEMS = {
  'account.wrong_password': { status: 403, title: 'This password is not right. Please try again.' },
  'account.first_name_required': { status: 400, title: 'First name is required' },
  'account.email_required': { status: 400, title: 'Email is required' },
  'account.password_required': { status: 400, title: 'Please enter your current password.' },
  'account.wrong_code': {
    status: 403,
    title: 'This code is not right. Please enter the one that your app shows now.',
  },
  'account.code_required': { status: 400, title: 'Please enter the code from your app.' },
  'account.code_locked': {
    status: 429,
    title: 'Too many wrong codes. Please wait 15 minutes and try again.',
  },
  'account.second_factor_unreadable': {
    status: 409,
    title:
      'Your second factor cannot be checked, because the key of this server has changed. Please contact the operator of this site.',
  },
  'account.two_factor_on': { status: 409, title: 'Two-factor authentication is on already.' },
  'account.two_factor_off': {
    status: 409,
    title: 'Two-factor authentication is not set up. Please start again.',
  },
  'account.session_not_found': { status: 404, title: 'This device is signed out already.' },
  'setup.not_found': { status: 404, title: 'This account has no set-up.' },
  'setup.calendar_missing': { status: 409, title: 'Please start with the first step of the set-up.' },
  'auth.second_factor_expired': {
    status: 401,
    title: 'This login took too long or had too many wrong codes. Please log in again.',
  },
} as const satisfies Record<string, { status: number; title: string }>
