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

/** Every page of the product. All links are built here, so that a moved page changes one line. */
export const paths = {
  home: () => '/',
  /** The booking card to try on the home page. */
  sample: () => '/#sample',
  /** The home page, saying that the account is gone. */
  farewell: () => '/?account=deleted',
  /** With the plan that one wants to go on to buy. */
  pricing: (plan?: string) => `/pricing${query({ plan })}`,
  /** With the page that one wants to go on to. */
  login: (redirect?: string) => `/login${query({ redirect })}`,
  register: (redirect?: string) => `/register${query({ redirect })}`,
  forgotPassword: () => '/forgot-password',
  resetPassword: (token: string) => `/reset-password${query({ token })}`,
  authCallback: (token: string) => `/auth/callback${query({ token })}`,
  emailChange: (token: string) => `/auth/email-change${query({ token })}`,
  dashboard: () => '/dashboard',
  today: () => '/today',
  /** With the plan that the owner thinks of changing to. */
  profile: (tab?: ProfileTab, plan?: string) => `/profile${query({ tab, plan })}`,
  calendar: (id: string) => `/calendar/${encodeURIComponent(id)}`,
  /** `days` are what the day view or the week view shows, on the tab of appointments. */
  calendarSettings: (id: string, tab?: SettingsTab, days?: { view: 'day' | 'week'; date: string }) =>
    `/calendar/${encodeURIComponent(id)}/settings${query({ tab, ...days })}`,
  customers: (calendarId: string) => `/calendar/${encodeURIComponent(calendarId)}/customers`,
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
