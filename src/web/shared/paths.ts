import { bookingPaths, toQuery } from './booking-paths.ts'

export type SettingsTab =
  | 'general'
  | 'availability'
  | 'appointments'
  | 'types'
  | 'activity'
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
  ...bookingPaths,
  /** The sample booking on the home page. */
  sample: () => '/#sample',
  /** The home page with a message that the account was deleted. */
  farewell: () => '/?account=deleted',
  /** `plan`: the plan that the visitor wants to buy. */
  pricing: (plan?: string) => `/pricing${toQuery({ plan })}`,
  /** `redirect`: the page to open after the login. */
  login: (redirect?: string) => `/login${toQuery({ redirect })}`,
  register: (redirect?: string) => `/register${toQuery({ redirect })}`,
  forgotPassword: () => '/forgot-password',
  resetPassword: (token: string) => `/reset-password${toQuery({ token })}`,
  authCallback: (token: string) => `/auth/callback${toQuery({ token })}`,
  emailChange: (token: string) => `/auth/email-change${toQuery({ token })}`,
  dashboard: () => '/dashboard',
  today: () => '/today',
  /** `plan`: the plan that the owner is thinking of changing to. */
  profile: (tab?: ProfileTab, plan?: string) => `/profile${toQuery({ tab, plan })}`,
  calendar: (id: string) => `/calendar/${encodeURIComponent(id)}`,
  /** `shown`: the day or week that the appointments tab shows, or the appointment that is open there. */
  calendarSettings: (
    id: string,
    tab?: SettingsTab,
    shown?: { view: 'day' | 'week'; date: string } | { appointment: string },
  ) => `/calendar/${encodeURIComponent(id)}/settings${toQuery({ tab, ...shown })}`,
  customer: (calendarId: string, customerId: string) =>
    `/calendar/${encodeURIComponent(calendarId)}/customers/${encodeURIComponent(customerId)}`,
  cancel: (appointmentId: string) => `/cancel/${encodeURIComponent(appointmentId)}`,
  waiting: (token: string) => `/waiting/${encodeURIComponent(token)}`,
  manage: (token: string) => `/manage/${encodeURIComponent(token)}`,
  paymentSuccess: (appointmentId: string) => `/payment-success${toQuery({ appointment_id: appointmentId })}`,
} as const
