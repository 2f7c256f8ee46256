import { LOCALE } from '#core/shared/locale.ts'
import { type Html, html } from '#sandbox/kit/html.ts'
import type { Mail, MailContent, MailsResponse } from './mail.ts'
import { MAIL_SAMPLE_GROUPS, MAIL_SAMPLES } from './mail-samples.ts'
import { SAMPLE_SCENE_NAMES, type SampleSceneName } from './sample-scenes.ts'

/** Lists the emails, newest first, next to the selected one. */
export function renderMailbox(mails: MailsResponse['mails'], chosen: Mail | null): Html {
  const items = mails.map(
    ({ id, subject, to, created_at }) =>
      html`<li><a href="/sandbox/mail?id=${id}"${toCurrent(id === chosen?.id)}><b>${subject}</b>
<span class="soft"><bdi dir="ltr">${to}</bdi><br>${toTime(created_at)}</span></a></li>`,
  )
  const list =
    items.length === 0
      ? html`<p>No emails yet. Register, or book an appointment: the email appears here.</p>`
      : html`<ul class="list" aria-label="Emails">${items}</ul>`
  const message =
    chosen === null
      ? html`<p class="soft">Choose an email to read it.</p>`
      : toMessage(chosen, `/api/sandbox/mails/${chosen.id}/html`, '/sandbox/mail')
  return html`<p>These emails were not sent. They are kept here because no mail server is set up (SMTP_URL).
See also the <a href="/sandbox/mail/gallery">gallery of messages</a>.</p>
${toColumns(list, message, chosen !== null)}`
}

type Sample = { readonly id: string; readonly scene: SampleSceneName; readonly content: MailContent }

/** Shows every email of Meridian, built by Meridian's own functions. */
export function renderMailGallery({ id, scene, content }: Sample): Html {
  const groups = Object.entries(MAIL_SAMPLE_GROUPS).map(([group, label]) => {
    const items = Object.entries(MAIL_SAMPLES)
      .filter(([, sample]) => sample.group === group)
      .map(
        ([sampleId, { title }]) =>
          html`<li><a href="${toGalleryUrl(sampleId, scene)}"${toCurrent(sampleId === id)}>${title}</a></li>`,
      )
    return html`<h2>${label}</h2><ul class="list">${items}</ul>`
  })
  const scenes = Object.entries(SAMPLE_SCENE_NAMES).map(
    ([name, label]) =>
      html`<a class="button" href="${toGalleryUrl(id, name)}"${toCurrent(name === scene)}>${label}</a>`,
  )
  const page = `/api/sandbox/mail-samples/${id}/html?scene=${scene}`
  return html`<p>Every message that Meridian sends, with made-up people. The <a href="/sandbox/mail">mailbox</a>
has the emails that were really written.</p>
<nav class="actions" aria-label="Sample data">${scenes}</nav>
${toColumns(html`${groups}`, toMessage(content, page, null), false)}`
}

function toGalleryUrl(id: string, scene: string): string {
  return `/sandbox/mail/gallery?message=${id}&scene=${scene}`
}

/** On narrow screens the selected email replaces the list. */
function toColumns(list: Html, message: Html, hidesList: boolean): Html {
  return html`<div class="columns"><div${hidesList ? html` class="wide-only"` : ''}>${list}</div><div>${message}</div></div>`
}

function toMessage(mail: MailContent & Partial<Mail>, page: string, listUrl: string | null): Html {
  const back =
    listUrl === null
      ? ''
      : html`<p class="narrow-only"><a class="button" href="${listUrl}">All emails</a></p>`
  const shown = {
    To: mail.to,
    From: mail.from,
    ...(mail.reply_to !== null && { 'Reply to': mail.reply_to }),
    ...(mail.created_at !== undefined && { When: toTime(mail.created_at) }),
  }
  return html`<article class="card" aria-label="Email">
${back}
<h2>${mail.subject}</h2>
${toTerms(shown)}
<iframe title="HTML of “${mail.subject}”" src="${page}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<p><a class="button" href="${page}" target="_blank" rel="noopener">Open the email in a new tab</a></p>
<details><summary>Text</summary><pre dir="ltr" tabindex="0">${mail.text}</pre></details>
<details><summary>Headers</summary>${toTerms({ 'Message-ID': mail.message_id, ...mail.headers })}</details>
${mail.attachments.map(toAttachment)}
</article>`
}

function toAttachment({ filename, content_type, content }: Mail['attachments'][number]): Html {
  const url = `data:${content_type};base64,${Buffer.from(content).toString('base64')}`
  return html`<details><summary>${filename}</summary>
<p><a class="button" href="${url}" download="${filename}">Download</a></p>
<pre dir="ltr" tabindex="0">${content}</pre></details>`
}

function toTerms(terms: Readonly<Record<string, string>>): Html {
  const rows = Object.entries(terms).map(
    ([name, value]) => html`<dt>${name}</dt><dd><bdi dir="ltr">${value}</bdi></dd>`,
  )
  return html`<dl>${rows}</dl>`
}

function toCurrent(isCurrent: boolean): Html {
  return isCurrent ? html` aria-current="true"` : html``
}

/** Formats an instant in the machine's time zone. */
function toTime(instant: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' }).format(
    Date.parse(instant),
  )
}
