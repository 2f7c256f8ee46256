export type SettingsTab =
  | 'general'
  | 'availability'
  | 'appointments'
  | 'types'
  | 'integrations'
  | 'payments'
  | 'transactions'
  | 'insights'
  | 'reminders'
  | 'locations'
  | 'domains'
  | 'branding'
export type ProfileTab = 'personal' | 'subscription' | 'account' | 'security' | 'notifications'

/** The paths of all pages. All links are built with these functions. */
export const paths = {
  home: () => '/',
  /** The sample booking on the home page. */
  sample: () => '/#sample',
  /** The home page with a message that the account was deleted. */
  farewell: () => '/?account=deleted',
  /** `plan`: the plan that the visitor wants to buy. */
  pricing: (plan?: string) => `/pricing${query({ plan })}`,
  /** `redirect`: the page to open after the login. */
  login: (redirect?: string) => `/login${query({ redirect })}`,
  register: (redirect?: string) => `/register${query({ redirect })}`,
  forgotPassword: () => '/forgot-password',
  resetPassword: (token: string) => `/reset-password${query({ token })}`,
  authCallback: (token: string) => `/auth/callback${query({ token })}`,
  emailChange: (token: string) => `/auth/email-change${query({ token })}`,
  dashboard: () => '/dashboard',
  today: () => '/today',
  /** `plan`: the plan that the owner is thinking of changing to. */
  profile: (tab?: ProfileTab, plan?: string) => `/profile${query({ tab, plan })}`,
  calendar: (id: string) => `/calendar/${encodeURIComponent(id)}`,
  /** `shown`: the day or week that the appointments tab shows, or the appointment that is open there. */
  calendarSettings: (
    id: string,
    tab?: SettingsTab,
    shown?: { view: 'day' | 'week'; date: string } | { appointment: string },
  ) => `/calendar/${encodeURIComponent(id)}/settings${query({ tab, ...shown })}`,
  customer: (calendarId: string, customerId: string) =>
    `/calendar/${encodeURIComponent(calendarId)}/customers/${encodeURIComponent(customerId)}`,
  book: (slug: string) => `/book/${encodeURIComponent(slug)}`,
  bookConfirmation: (slug: string, appointmentId: string) =>
    `/book/${encodeURIComponent(slug)}/confirmation${query({ appointment_id: appointmentId })}`,
  confirmation: (appointmentId: string) => `/confirmation${query({ appointment_id: appointmentId })}`,
  cancel: (appointmentId: string) => `/cancel/${encodeURIComponent(appointmentId)}`,
  waiting: (token: string) => `/waiting/${encodeURIComponent(token)}`,
  manage: (token: string) => `/manage/${encodeURIComponent(token)}`,
  paymentSuccess: (appointmentId: string) => `/payment-success${query({ appointment_id: appointmentId })}`,
  sandboxMail: () => '/sandbox/mail',
} as const

function query(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
