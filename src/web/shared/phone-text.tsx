import type { DialableNumber } from '#contract/shared/phone-number.ts'

type PhoneTextProps = {
  /** The phone field's text as it was typed. */
  phone: string
  numbers: readonly DialableNumber[]
  linkClass: string
}

/** Shows the text of a phone field, with each number as a `tel:` link. Source: rule Y15. */
export function TextWithPhoneLinks({ phone, numbers, linkClass }: PhoneTextProps) {
  return (
    <bdi dir="ltr">
      {splitPhone(phone, numbers).map(({ before, number }) => (
        <span key={`${before}${number?.typed}`}>
          {before}
          {number !== null && (
            <a href={`tel:${number.dials}`} dir="ltr" className={linkClass}>
              {number.typed}
            </a>
          )}
        </span>
      ))}
    </bdi>
  )
}

type PhonePart = { readonly before: string; readonly number: DialableNumber | null }

function splitPhone(phone: string, numbers: readonly DialableNumber[]): PhonePart[] {
  const parts: PhonePart[] = []
  let rest = phone
  for (const number of numbers) {
    const at = rest.indexOf(number.typed)
    if (at < 0) continue
    parts.push({ before: rest.slice(0, at), number })
    rest = rest.slice(at + number.typed.length)
  }
  return rest === '' ? parts : [...parts, { before: rest, number: null }]
}
