import type { OverlappingAppointment, OverlapsResponse, PeopleResponse } from '#contract/people.ts'
import { nextTuesday } from '#e2e/support/people.ts'

/** Somebody with a name of 60 characters. */
export const SOMEBODY = {
  id: '00000000-0000-4000-8000-000000000c01',
  name: 'Dr. Maximiliane Donaudampfschifffahrtsgesellschaft-Osei-Bonsu',
  is_owner: false,
}

export const PEOPLE: PeopleResponse = {
  people: [
    {
      ...SOMEBODY,
      calendars: [
        { id: '00000000-0000-4000-8000-000000000c11', name: 'Tenancy law' },
        { id: '00000000-0000-4000-8000-000000000c12', name: 'Family law' },
      ],
    },
    {
      id: '00000000-0000-4000-8000-000000000c02',
      name: 'שרה לוי',
      is_owner: false,
      calendars: [{ id: '00000000-0000-4000-8000-000000000c13', name: 'גישור' }],
    },
  ],
}

const APPOINTMENT: OverlappingAppointment = {
  id: '00000000-0000-4000-8000-000000000c21',
  calendar_id: '00000000-0000-4000-8000-000000000c11',
  calendar_name: 'Riverside Practice',
  customer_name: 'Ada Lovelace',
  title: 'Individual session',
  starts_at: `${nextTuesday()}T09:30:00Z`,
  ends_at: `${nextTuesday()}T10:15:00Z`,
  time_zone: 'Europe/London',
}

/** Two of fourteen overlaps. The second pair is in two time zones. */
export const OVERLAPS: OverlapsResponse = {
  total: 14,
  overlaps: [
    {
      first: APPOINTMENT,
      second: {
        ...APPOINTMENT,
        id: '00000000-0000-4000-8000-000000000c22',
        calendar_name: 'Tenancy law',
        customer_name: 'Maximiliane Donaudampfschifffahrtselektrizitätenhauptbetrieb',
      },
    },
    {
      first: { ...APPOINTMENT, id: '00000000-0000-4000-8000-000000000c23', customer_name: 'שרה לוי' },
      second: {
        ...APPOINTMENT,
        id: '00000000-0000-4000-8000-000000000c24',
        calendar_name: 'Mediation in New York',
        customer_name: 'Grace Hopper',
        starts_at: `${nextTuesday()}T10:00:00Z`,
        ends_at: `${nextTuesday()}T11:00:00Z`,
        time_zone: 'America/New_York',
      },
    },
  ],
}
