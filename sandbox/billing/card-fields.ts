import { type Html, html } from '#sandbox/kit/html.ts'
import { PLAN_CARDS, WORKING_CARD, WORKING_EXPIRY } from './cards.ts'

/** Where a card is typed. */
export const CARD_FIELDS: Html = html`<label>Card number
<input name="card" value="${WORKING_CARD}" maxlength="50" autocomplete="off" required></label>
<label>Expires (month/year)
<input name="expiry" value="${WORKING_EXPIRY}" maxlength="7" autocomplete="off" required></label>`

/** What may be typed there. */
export const CARD_LIST: Html = html`<details><summary>Numbers for other outcomes</summary><dl>${Object.entries(
  PLAN_CARDS,
).map(
  ([number, { what }]) => html`<dt>${number.replace(/(.{4})(?=.)/g, '$1 ')}</dt><dd>${what}</dd>`,
)}</dl></details>`

/** What the card was refused for. */
export function toAlert(refusal: string | null): Html | '' {
  return refusal === null ? '' : html`<p class="alert" role="alert">${refusal}</p>`
}
