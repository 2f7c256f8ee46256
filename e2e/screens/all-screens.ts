import { ACCOUNT_SCREENS } from './account-screens.ts'
import { APPOINTMENT_SCREENS } from './appointment-screens.ts'
import { BOOKING_SCREENS } from './booking-screens.ts'
import { CUSTOMER_SCREENS } from './customer-screens.ts'
import { DASHBOARD_SCREENS } from './dashboard-screens.ts'
import { DAY_SCREENS } from './day-screens.ts'
import { MAIL_SCREENS } from './mail-screens.ts'
import { MANAGE_SCREENS } from './manage-screens.ts'
import { MOVE_SCREENS } from './move-screens.ts'
import { PLAN_SCREENS } from './plan-screens.ts'
import { PROFILE_SCREENS } from './profile-screens.ts'
import { RECORD_SCREENS } from './record-screens.ts'
import type { ScreenGroup } from './screen.ts'
import { SETTINGS_SCREENS } from './settings-screens.ts'
import { SITE_SCREENS } from './site-screens.ts'
import { WAITING_SCREENS } from './waiting-screens.ts'

/** Every screen of the product in every state that a person meets. */
export const SCREEN_GROUPS: readonly ScreenGroup[] = [
  { name: 'site', screens: SITE_SCREENS },
  { name: 'account', screens: ACCOUNT_SCREENS },
  { name: 'booking', screens: BOOKING_SCREENS },
  { name: 'customer', screens: CUSTOMER_SCREENS },
  { name: 'manage', screens: MANAGE_SCREENS },
  { name: 'waiting', screens: WAITING_SCREENS },
  { name: 'dashboard', screens: DASHBOARD_SCREENS },
  { name: 'day', screens: DAY_SCREENS },
  { name: 'settings', screens: SETTINGS_SCREENS },
  { name: 'appointments', screens: APPOINTMENT_SCREENS },
  { name: 'moves', screens: MOVE_SCREENS },
  { name: 'records', screens: RECORD_SCREENS },
  { name: 'profile', screens: PROFILE_SCREENS },
  { name: 'plans', screens: PLAN_SCREENS },
  { name: 'mail', screens: MAIL_SCREENS },
]
