import type { Calendar } from '#contract/calendars/calendars.ts'
import type { CalendarConnection } from '#contract/external-calendars/external-calendars.ts'
import {
  type ConsentProvider,
  readExternalCalendars,
  returnFromProvider,
  startConnecting,
} from './connected-calendar.ts'
import { submitConsentPage } from './decide.ts'
import type { TestMeridian, TestOwner } from './meridian.ts'
import { postForm } from './post-form.ts'

type Form = Readonly<Record<string, string>>

/** Actions of an owner with an account at a provider's sandbox, which sends its notifications to Meridian over HTTP. */
export type SandboxAccount = {
  /**
   * The owner grants access, and the browser returns to Meridian. Returns the URL of the page that Meridian redirects to.
   */
  readonly connect: (payload?: Parameters<typeof startConnecting>[2]) => Promise<string>
  /** Reads the account's connection as the settings show it. */
  readonly read: () => Promise<CalendarConnection>
  readonly syncNow: () => ReturnType<TestMeridian['request']>
  readonly disconnect: (events: 'keep' | 'remove') => ReturnType<TestMeridian['request']>
  /** Posts a form to a path of the main calendar's page; for example, `/events` adds an event. */
  readonly press: (path: '' | '/events', form: Form) => Promise<void>
  /** Switches faults of the sandbox on; without `form`, switches them all off. */
  readonly switchFaults: (form?: Form) => Promise<void>
  /** Submits a form on an event's card. */
  readonly pressEvent: (title: string, form: Form) => Promise<void>
  /** Lists the times of the events with this text in their title. */
  readonly listTimes: (title: string) => Promise<string[]>
}

/**
 * Opens an account in London's time zone at the sandbox of a running server, and shows the week of `date`. Meridian has to
 * listen for requests.
 */
export async function openSandboxAccount(
  meridian: TestMeridian,
  { owner, calendar }: { readonly owner: TestOwner; readonly calendar: Calendar },
  {
    provider,
    email,
    date,
  }: { readonly provider: ConsentProvider; readonly email: string; readonly date: string },
): Promise<SandboxAccount> {
  const own = { owner, calendarId: calendar.id }
  const base = `/api/calendars/${calendar.id}/external-calendars`
  const { cookie } = owner
  const { sandbox } = await readExternalCalendars(meridian, own)
  const start = sandbox.find((known) => known.provider === provider)?.page
  if (start === undefined) throw new Error(`there is no stand-in of ${provider}`)
  await postForm(start, { email })
  const page = `${start}/${encodeURIComponent(email)}`
  const readWeek = async () => (await (await fetch(`${page}?week=${date}`)).text()).replaceAll('&amp;', '&')
  const [, main = ''] = /action="([^"?]+)\/events\?/.exec(await readWeek()) ?? []

  const pressAt = async (path: string, form: Form) => {
    const answer = await postForm(new URL(path, start).toString(), form)
    if (answer.status !== 303) throw new Error(await answer.text())
  }
  const listCards = async (title: string) => {
    const cards = (await readWeek()).split('<section class="card">')
    return cards.filter((card) => /<h3>([^<]*)/.exec(card)?.[1]?.includes(title) === true)
  }
  const read = async () => {
    const { connections } = await readExternalCalendars(meridian, own)
    const connection = connections.find(({ account_name }) => account_name === email)
    if (connection === undefined) throw new Error(`${email} is not connected`)
    return connection
  }
  await pressAt(main, { action: 'zone', time_zone: 'Europe/London' })

  return {
    read,
    connect: async (payload = { access: 'write' }) => {
      const back = await submitConsentPage((await startConnecting(meridian, own, payload, provider)).href, {
        email,
      })
      const answer = await returnFromProvider(
        meridian,
        cookie,
        Object.fromEntries(back.searchParams),
        provider,
      )
      return answer.headers.location ?? ''
    },
    syncNow: () => meridian.as({ cookie }).post(`${base}/sync`),
    disconnect: async (events) => {
      return meridian.as({ cookie }).delete(`${base}/connections/${(await read()).id}?events=${events}`)
    },
    press: (path, form) => pressAt(`${main}${path}`, form),
    switchFaults: (form = {}) => pressAt(`${new URL(page).pathname}/faults`, { rate_limit: 'off', ...form }),
    pressEvent: async (title, form) => {
      const [card = ''] = await listCards(title)
      const [, action] = /action="([^"]+)"/.exec(card) ?? []
      if (action === undefined) throw new Error(`there is no event ${title}`)
      await pressAt(action, form)
    },
    listTimes: async (title) =>
      (await listCards(title)).map((card) => /<p>([^<]+)<br>/.exec(card)?.[1] ?? 'no time'),
  }
}
