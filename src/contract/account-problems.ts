/** Refusals of the owner's profile, account and sign-in (spec §5 "Profile", §8). */
export const ACCOUNT_PROBLEMS = {
  'account.wrong_password': { status: 403, title: 'This password is not right. Please try again.' },
} as const satisfies Record<string, { status: number; title: string }>
