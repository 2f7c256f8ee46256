import { SETUP_STEPS, type SetupStep } from '#core/accounts/setup-steps.ts'

/** A page of the set-up: a step, or the last page with the link. */
export type SetupPageName = SetupStep | 'link'

export const SETUP_PAGES: readonly SetupPageName[] = [...SETUP_STEPS, 'link']

/** The short name of each page, in the list of steps. */
export const SETUP_PAGE_NAMES: Readonly<Record<SetupPageName, string>> = {
  you: 'You',
  hours: 'Hours',
  services: 'Services',
  external_calendar: 'Your own calendar',
  link: 'Your link',
}

/** What the owner does on each page, as an item of the checklist. */
export const SETUP_TASKS: Readonly<Record<SetupPageName, string>> = {
  you: 'Say who you are',
  hours: 'Set your hours',
  services: 'Add your services',
  external_calendar: 'Connect your own calendar',
  link: 'Share your link',
}
