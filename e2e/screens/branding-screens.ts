import type { Branding } from '#contract/branding.ts'
import { tab } from './calendar-tab.ts'
import { onPlan } from './on-plan.ts'
import { awaited, type Screen } from './screen.ts'

const BRANDING = '**/api/calendars/*/branding'
const PREVIEW = '**/api/calendars/*/branding/preview'
const IN_PLAN = { '**/api/subscription': onPlan('Professional') }

/** A look as the server has drawn it. */
const DRAWN = {
  branding: {
    colors: {
      '--accent': '#f59e0b',
      '--on-accent': '#000000',
      '--noon': '#7c3aed',
      '--noon-strong': '#6b32cc',
      '--on-noon': '#ffffff',
      '--picked': '#7c3aed',
      '--picked-edge': '#7c3aed',
      '--on-picked': '#ffffff',
    },
    logo: null,
    welcome_html: '<p>Please <strong>ring twice</strong>.</p>',
    footer_html: '',
    stylesheet: null,
  },
  css: '',
}

/** How a booking page looks, and the form about it. */
export const BRANDING_SCREENS: readonly Screen[] = [
  {
    name: 'branding',
    path: tab('branding', 'demo'),
    as: 'demo',
    answers: { ...IN_PLAN, [PREVIEW]: { json: { ...DRAWN, refused: [] } } },
    sees: 'Nothing is booked here, and nothing is saved until you save.',
  },
  {
    name: 'branding-without-colors',
    path: tab('branding', 'unconnected'),
    as: 'demo',
    answers: {
      ...IN_PLAN,
      [BRANDING]: (look: Branding) => ({
        ...look,
        own_colors: false,
        welcome_message: 'Please **ring twice**.',
      }),
    },
    sees: /^While this is off/,
  },
  {
    name: 'branding-refused-css',
    path: tab('branding', 'demo'),
    as: 'demo',
    answers: {
      ...IN_PLAN,
      [PREVIEW]: {
        json: { ...DRAWN, refused: [{ line: 2, message: 'The property “z-index” cannot be used.' }] },
      },
    },
    sees: 'Line 2: The property “z-index” cannot be used.',
  },
  {
    name: 'branding-not-in-plan',
    path: tab('branding', 'demo'),
    as: 'demo',
    answers: { '**/api/subscription': onPlan('Free') },
    sees: 'Custom branding is not available on the Free plan.',
  },
  {
    name: 'branding-stored-not-shown',
    path: tab('branding', 'demo'),
    as: 'demo',
    answers: {
      '**/api/subscription': onPlan('Free'),
      [BRANDING]: {
        json: {
          logo_url: '',
          logo: null,
          own_colors: true,
          primary_color: '#7c3aed',
          secondary_color: '#f59e0b',
          custom_css: 'h1 { letter-spacing: 0.1em }',
          welcome_message: 'Please **ring twice**.',
          footer_text: '',
        },
      },
    },
    sees: 'Saved and not shown',
  },
  ...awaited({ name: 'branding', path: tab('branding', 'demo'), as: 'demo', answers: IN_PLAN }, [BRANDING], {
    loading: 'Loading branding...',
    failed: 'Failed to load branding',
  }),
]
