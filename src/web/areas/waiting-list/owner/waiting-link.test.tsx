// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { CALENDAR_ID } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { stubApi } from '#web/testing/stub-api.ts'
import { WaitingListLink } from './waiting-link.tsx'

const COUNTS = 'GET /api/waiting-lists'
const OTHER = '00000000-0000-4000-8000-00000000ffff'

describe('the link to a waiting list', () => {
  test.each([
    [{ waiting: 1, offered: 0 }, '1 waiting'],
    [{ waiting: 3, offered: 0 }, '3 waiting'],
    [{ waiting: 3, offered: 1 }, '3 waiting · 1 offer pending'],
    [{ waiting: 12, offered: 2 }, '12 waiting · 2 offers pending'],
  ])('says of %j how many wait and how many offers are open', async (count, words) => {
    stubApi({ [COUNTS]: { calendars: [{ calendar_id: CALENDAR_ID, ...count }] } })
    renderComponent(<WaitingListLink calendarId={CALENDAR_ID} page="/here" className="" />)
    const link = await screen.findByRole('link', { name: words })
    expect(link.getAttribute('href')).toBe('/here#waiting-list')
  })

  test('is not there when nobody waits on this calendar', async () => {
    const api = stubApi({ [COUNTS]: { calendars: [{ calendar_id: OTHER, waiting: 4, offered: 1 }] } })
    renderComponent(<WaitingListLink calendarId={CALENDAR_ID} className="" />)
    await waitFor(() => expect(api.to(COUNTS)).not.toHaveLength(0))
    expect(screen.queryByRole('link')).toBeNull()
  })
})
