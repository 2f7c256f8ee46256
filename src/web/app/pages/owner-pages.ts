export { CalendarSettingsPage } from './calendar-settings-page.tsx'
export { PaypalConnectRoute, StripeConnectRoute } from './connect-routes.tsx'
export { DashboardPage } from './dashboard-page.tsx'
export { ProfilePage } from './profile-page.tsx'
