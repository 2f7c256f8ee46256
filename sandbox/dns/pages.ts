import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { normaliseDomain } from '#core/addresses/domain-name.ts'
import type { DomainTargets } from '#core/addresses/domain-records.ts'
import { type Html, html } from '#sandbox/kit/html.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import type { Db } from '#server/platform/db/database.ts'
import {
  addDnsRecord,
  DNS_RECORD_TYPES,
  DNS_SERVER_BEHAVIORS,
  type DnsServerBehavior,
  getDnsServerBehavior,
  listDnsRecords,
  removeDnsRecord,
  type SandboxDnsRecord,
  setDnsServerBehavior,
} from './world.ts'

type PagesDeps = { readonly db: Db; readonly targets: DomainTargets }

const recordForm = z.object({
  type: z.enum(DNS_RECORD_TYPES),
  name: z.string().transform(normaliseDomain).pipe(z.string().min(1).max(253)),
  value: z.string().trim().min(1).max(1_000),
})

const BEHAVIOR_LABELS: Readonly<Record<DnsServerBehavior, string>> = {
  good: 'They answer correctly',
  silent: 'They do not answer in time',
  contradicting: 'One of them says that there is nothing',
}

/** Registers the page to set and remove DNS records, and to make the servers fail. It works without JavaScript. */
export function registerDnsPages(app: FastifyInstance, deps: PagesDeps): void {
  app.get('/dns', (_request, reply) => showRecords(deps, reply))

  app.post('/dns', async ({ body }, reply) => {
    const asked = recordForm.safeParse(body)
    if (!asked.success) return showRecords(deps, reply.code(400), 'Please give a name and a value.')
    const { type, name, value } = asked.data
    const isName = type === 'CNAME'
    await addDnsRecord(deps.db, { type, name, value: isName ? normaliseDomain(value) : value })
    return reply.redirect('/dns', 303)
  })

  app.post<{ Params: { id: string } }>('/dns/records/:id/removal', async ({ params }, reply) => {
    await removeDnsRecord(deps.db, params.id)
    return reply.redirect('/dns', 303)
  })

  app.post('/dns/mood', async ({ body }, reply) => {
    const asked = z.object({ mood: z.enum(DNS_SERVER_BEHAVIORS) }).safeParse(body)
    if (asked.success) await setDnsServerBehavior(deps.db, asked.data.mood)
    return reply.redirect('/dns', 303)
  })
}

async function showRecords({ db, targets }: PagesDeps, reply: FastifyReply, alert?: string) {
  const [records, behavior] = [await listDnsRecords(db), await getDnsServerBehavior(db)]
  const body = html`<p class="soft">Here you set the records of any domain below localhost, such as termine.osei.localhost, as you would where it is registered.
A domain leads to this installation when it points to ${[targets.name, ...targets.addresses].filter((one) => one !== null).join(' or ')}.</p>
${records.length === 0 ? html`<p>There are no records.</p>` : records.map(toCard)}
${ADD_FORM}
${toBehaviorForm(behavior)}`
  return sendSandboxPage(reply, {
    provider: 'DNS',
    title: 'DNS records',
    note: 'nobody’s real domain is touched',
    alert,
    body,
  })
}

function toCard({ id, type, name, value }: SandboxDnsRecord): Html {
  return html`<section class="card">
<dl><dt>Type</dt><dd>${type}</dd><dt>Name</dt><dd>${name}</dd><dt>Value</dt><dd>${value}</dd></dl>
<form class="actions" method="post" action="/dns/records/${id}/removal"><button aria-label="Remove ${type} ${name}">Remove</button></form>
</section>`
}

const ADD_FORM = html`<form class="card" method="post" action="/dns">
<h2>Add a record</h2>
<label>Type <select name="type">${DNS_RECORD_TYPES.map((type) => html`<option>${type}</option>`)}</select></label>
<label>Name <input name="name" maxlength="253" autocomplete="off" required></label>
<label>Value <input name="value" maxlength="1000" autocomplete="off" required></label>
<div class="actions"><button class="main">Add</button></div>
</form>`

function toBehaviorForm(behavior: DnsServerBehavior): Html {
  const options = DNS_SERVER_BEHAVIORS.map(
    (one) =>
      html`<option value="${one}"${one === behavior ? { html: ' selected' } : ''}>${BEHAVIOR_LABELS[one]}</option>`,
  )
  return html`<form class="card" method="post" action="/dns/mood">
<h2>What goes wrong</h2>
<label>The two DNS servers <select name="mood">${options}</select></label>
<div class="actions"><button class="main">Switch</button></div>
</form>`
}
