import type { CalendarLocation, Location, LocationUse } from '#contract/locations.ts'
import { press, tab } from './calendar-tab.ts'
import { awaited, type Screen } from './screen.ts'

const ROWS = '**/api/calendars/*/locations'
const OWN = '**/api/locations'
const USAGE = '**/api/locations/*/usage'

/** Two practices that share the room. */
const OTHERS: readonly LocationUse[] = [
  makeUse('Harbour Street Physiotherapy', 'Nora Lindqvist', 12),
  makeUse('Berg Yoga', 'Ida Berg', 1),
]

/** Where appointments take place. */
export const LOCATIONS_SCREENS: readonly Screen[] = [
  { name: 'locations', path: tab('locations', 'demo'), as: 'demo', sees: 'Riverside Practice' },
  { name: 'locations-empty', path: tab('locations', 'empty'), as: 'beginner', sees: 'No locations yet' },
  { name: 'locations-wordy', path: tab('locations', 'wordy'), as: 'wordy', sees: 'Primary' },
  {
    name: 'locations-errors',
    path: tab('locations', 'empty'),
    as: 'beginner',
    sees: 'Location name is required',
    does: async (page) => {
      await press('Add your first location')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Add Location' }).click()
    },
  },
  {
    name: 'locations-edit',
    path: tab('locations', 'demo'),
    as: 'demo',
    does: press(/^Edit Riverside/),
    sees: 'Edit Location',
  },
  {
    name: 'locations-remove',
    path: tab('locations', 'demo'),
    as: 'demo',
    does: press(/^Remove Riverside/),
    sees: /stays? there as booked|No future appointment|Nothing/,
  },
  { name: 'locations-others', path: tab('locations', 'plain'), as: 'demo', sees: 'Your other locations' },
  {
    name: 'locations-delete',
    path: tab('locations', 'plain'),
    as: 'demo',
    does: press('Delete Riverside Practice'),
    sees: /loses it/,
  },
  {
    name: 'locations-users',
    path: tab('locations', 'demo'),
    as: 'demo',
    answers: { [ROWS]: usedByOthers, [OWN]: sharedWithCode, [USAGE]: { json: { calendars: OTHERS } } },
    does: press(/^Used by 2 calendars/),
    sees: ['Harbour Street Physiotherapy', 'Sharing code:'],
  },
  {
    name: 'locations-shared',
    path: tab('locations', 'demo'),
    as: 'demo',
    complains: /404/,
    does: async (page) => {
      await press('Use a shared location')(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(/^Sharing code/).fill('7gkm2-x9wqa')
      await dialog.getByRole('button', { name: 'Add' }).click()
    },
    sees: /^No location has this code/,
  },
  ...awaited({ name: 'locations', path: tab('locations', 'demo'), as: 'demo' }, [ROWS], {
    loading: 'Loading locations...',
    failed: 'Failed to load locations',
  }),
  ...awaited(
    {
      name: 'locations-users',
      path: tab('locations', 'demo'),
      as: 'demo',
      answers: { [ROWS]: usedByOthers },
      does: press(/^Used by 2 calendars/),
    },
    [USAGE],
    { loading: 'Loading calendars...', failed: 'Failed to load calendars' },
  ),
]

const SHARED = { shareable: true, sharing_code: '7gkm2-x9wqa', used_by_others: 2 }

function sharedWithCode({ locations }: { locations: Location[] }) {
  return { locations: locations.map((location) => ({ ...location, ...SHARED })) }
}

function usedByOthers({ calendar_locations }: { calendar_locations: CalendarLocation[] }) {
  const [first, ...rest] = calendar_locations
  return {
    calendar_locations: first && [
      {
        ...first,
        location: { ...first.location, ...SHARED },
      },
      ...rest,
    ],
    withdrawn: [{ name: 'Harley Street', address: '12 Harley Street', future_appointments: 3 }],
  }
}

function makeUse(calendar_name: string, owner_name: string, future_appointments: number): LocationUse {
  return {
    calendar_id: calendar_name,
    calendar_name,
    owner_name,
    in_use: true,
    is_primary: false,
    appointment_types: 0,
    future_appointments,
  }
}
