import { AVAILABILITY_SCREENS } from './availability-screens.ts'
import { BRANDING_SCREENS } from './branding-screens.ts'
import { DOMAINS_SCREENS } from './domains-screens.ts'
import { GENERAL_SCREENS } from './general-screens.ts'
import { INSIGHTS_SCREENS } from './insights-screens.ts'
import { INTEGRATIONS_SCREENS } from './integrations-screens.ts'
import { LOCATIONS_SCREENS } from './locations-screens.ts'
import { PAYMENTS_SCREENS } from './payments-screens.ts'
import { REMINDERS_SCREENS } from './reminders-screens.ts'
import { SANDBOX_SCREENS } from './sandbox-screens.ts'
import type { Screen } from './screen.ts'
import { TYPES_SCREENS } from './types-screens.ts'

/** The tabs of a calendar's settings, with what opens in them. Its appointments have a table of their own. */
export const SETTINGS_SCREENS: readonly Screen[] = [
  ...GENERAL_SCREENS,
  ...AVAILABILITY_SCREENS,
  ...TYPES_SCREENS,
  ...INTEGRATIONS_SCREENS,
  ...SANDBOX_SCREENS,
  ...PAYMENTS_SCREENS,
  ...INSIGHTS_SCREENS,
  ...REMINDERS_SCREENS,
  ...LOCATIONS_SCREENS,
  ...DOMAINS_SCREENS,
  ...BRANDING_SCREENS,
]
