import type { Branding, Logo } from '#contract/branding.ts'
import type { Calendar } from '#contract/calendars.ts'
import type { CalendarDomain, DomainVerification } from '#contract/domains.ts'
import * as at from '#contract/operations/addresses.ts'
import { DEMO_LOGIN } from '#server/app/demo-account.ts'

const DOMAIN = 'termine.demo.localhost'
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="160"><rect width="400" height="160" rx="24" fill="#0f5c4d"/><circle cx="80" cy="80" r="40" fill="#f7d34a"/></svg>'
const LOOK = {
  primary_color: '#0f5c4d',
  secondary_color: '#f7d34a',
  welcome_message:
    'Please **ring twice**. You find us here:\n\n- second floor, [left door](https://example.org/way)\n- parking behind the house',
  footer_text: 'Cancelled late? [Our terms](https://example.org/terms).',
  custom_css:
    'h1 { letter-spacing: 0.02em } section { border-radius: 1.5rem } @media (width > 40rem) { h1 { font-size: 3rem } }',
}

/**
 * Gives the demo practice a whole look and a domain of its own, as its owner does it on a machine where nothing leaves the machine: the
 * records are set on the page that stands in for a registrar. `url` is the product's address. The plan has to include both.
 * @returns the address of the booking page
 */
export async function brandDemo(url: string): Promise<string> {
  const cookie = await signIn(url)
  const call = async <Answer>(address: string, path: Readonly<Record<string, string>>, body?: object) => {
    const [method = '', pattern = ''] = address.split(' ')
    const filled = pattern.replace(/:(\w+)/g, (_part, name: string) => path[name] ?? '')
    return ask<Answer>(`${url}${filled}`, { method, cookie, body })
  }
  const calendars = await call<{ calendars: Calendar[] }>(at.listCalendars, {})
  const calendar = calendars.calendars.find(({ slug }) => slug === 'demo')
  if (calendar === undefined) throw new Error('there is no demo practice')
  const path = { id: calendar.id }

  const file = Buffer.from(LOGO).toString('base64')
  const logo = await call<Logo>(at.makeLogo, path, { file })
  await call<Branding>(at.updateBranding, path, { ...LOOK, logo_hash: logo.hash })

  const domain = await call<CalendarDomain>(at.changeCalendarDomain, path, {
    type: 'custom',
    custom_domain: DOMAIN,
  })
  // It leads to the page of the stand-in, which has an address of its own.
  const { url: dnsPage } = await fetch(new URL(domain.dns_page ?? '', url))
  for (const { type, name, wanted } of domain.records) {
    const form = new URLSearchParams({ type, name, value: wanted[0] ?? '' })
    await fetch(dnsPage, { method: 'POST', body: form })
  }
  const { verified, domain: proven } = await call<DomainVerification>(at.verifyCalendarDomain, path)
  if (!verified) throw new Error(`the domain was not verified: ${JSON.stringify(proven.records)}`)
  return `${proven.public_url}/`
}

async function signIn(url: string): Promise<string> {
  const [method = '', path = ''] = at.signIn.split(' ')
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method, headers, body: JSON.stringify(DEMO_LOGIN) })
  if (!answer.ok) throw new Error(`${at.signIn}: ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

type Sent = { readonly method: string; readonly cookie: string; readonly body: object | undefined }

async function ask<Answer>(url: string, { method, cookie, body }: Sent): Promise<Answer> {
  const sent = body && { body: JSON.stringify(body) }
  const headers = { cookie, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(url, { method, headers, ...sent })
  if (!answer.ok) throw new Error(`${method} ${url}: ${await answer.text()}`)
  return (await answer.json()) as Answer // of the operation that was asked
}
