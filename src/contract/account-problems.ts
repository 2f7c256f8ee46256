/** Refusals of the owner's profile, account and sign-in (spec §5 "Profile", §8). */
export const ACCOUNT_PROBLEMS = {
  'account.wrong_password': { status: 403, title: 'This password is not right. Please try again.' },
  'account.first_name_required': { status: 400, title: 'First name is required' },
  'account.email_required': { status: 400, title: 'Email is required' },
  'account.password_required': { status: 400, title: 'Please enter your current password.' },
} as const satisfies Record<string, { status: number; title: string }>
