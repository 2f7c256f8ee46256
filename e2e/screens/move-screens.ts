import type { Page } from '@playwright/test'
import type { MoveOwnAppointmentResponse } from '#contract/external-calendars.ts'
import type { AppointmentTime } from '#contract/owner-booking.ts'
import { nextTuesday } from '#e2e/support/people.ts'
import { tab as calendarTab } from './calendar-tab.ts'
import { keepToast } from './keep-toast.ts'
import { OVERLAPS } from './people-answers.ts'
import { awaited, type Screen } from './screen.ts'

const list = calendarTab('appointments', 'demo', '&search=Walkin')
const week = calendarTab('appointments', 'demo', `&view=week&date=${nextTuesday()}`)
const TIMES = '**/appointments/*/move-slots?*'
const EFFECT = '**/many-changes/effect?*'

/** Moving an appointment by its owner, and changing whole days. */
export const MOVE_SCREENS: readonly Screen[] = [
  { name: 'move', path: list, as: 'demo', does: openMove, sees: 'Send an email about the new time' },
  {
    name: 'move-question',
    path: list,
    as: 'demo',
    does: async (page) => {
      const dialog = await openMove(page)
      await dialog.getByRole('button', { name: 'Another time' }).click()
      await dialog.getByLabel(/^Start/).fill('04:10')
    },
    sees: /This is outside your opening hours\./,
  },
  {
    name: 'move-taken-elsewhere',
    path: list,
    as: 'demo',
    answers: {
      '**/appointments/*/move-time?*': (judged: AppointmentTime) => ({
        ...judged,
        standing: 'busy',
        concerns: [],
        appointment_elsewhere: OVERLAPS.overlaps[1]?.second,
        buffer_minutes: 15,
      }),
    },
    does: async (page) => {
      const dialog = await openMove(page)
      await dialog.getByRole('button', { name: 'Another time' }).click()
      await dialog.getByLabel(/^Start/).fill('15:00')
    },
    sees: /^This time is too close to the appointment of Grace Hopper/,
  },
  {
    name: 'move-unchecked',
    path: list,
    as: 'demo',
    answers: {
      'POST **/appointments/*/move': {
        json: {
          id: '00000000-0000-4000-8000-000000000501',
          starts_at: `${nextTuesday()}T15:00:00Z`,
          ends_at: `${nextTuesday()}T15:50:00Z`,
          email: 'queued',
          warning: 'Could not verify Google Calendar conflicts. Please check manually.',
        } satisfies MoveOwnAppointmentResponse,
      },
    },
    does: async (page) => {
      const dialog = await openMove(page)
      await dialog.getByRole('button', { name: 'Another time' }).click()
      await dialog.getByLabel(/^Start/).fill('15:00')
      await dialog.getByRole('button', { name: /^Move/ }).click()
      await keepToast(page)
    },
    sees: /^Could not verify Google Calendar conflicts/,
  },
  ...awaited({ name: 'move-times', path: list, as: 'demo', does: openMove }, [TIMES], {
    loading: 'Loading available times...',
    failed: 'Failed to load the times',
  }),
  {
    name: 'move-mode',
    path: week,
    as: 'demo',
    only: 'desktop',
    does: async (page) => {
      await page
        .getByRole('button', { name: /Walter Walkin/ })
        .first()
        .press('m')
      await page.keyboard.press('ArrowDown')
      await page.locator('[data-ghost]').waitFor()
    },
    sees: 'Walter Walkin',
  },
  {
    name: 'whole-days',
    path: list,
    as: 'demo',
    does: openWholeWeek,
    sees: 'How much of the payments goes back',
  },
  ...awaited({ name: 'whole-days-effect', path: list, as: 'demo', does: openWholeDays }, [EFFECT], {
    loading: 'Loading the appointments...',
    failed: 'Failed to load the appointments',
  }),
]

async function openMove(page: Page) {
  const row = page.getByRole('article').first()
  await row.waitFor()
  const line = row.getByRole('heading').getByRole('button', { expanded: false })
  if ((await line.count()) > 0) await line.click()
  await page.getByRole('button', { name: 'Move', exact: true }).first().click()
  return page.getByRole('dialog', { name: 'Move appointment' })
}

async function openWholeDays(page: Page) {
  await page.getByRole('button', { name: 'Change whole days' }).click()
  return page.getByRole('dialog', { name: 'Change whole days' })
}

async function openWholeWeek(page: Page) {
  const dialog = await openWholeDays(page)
  const last = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel(/^Last day/).fill(last)
  return dialog
}
