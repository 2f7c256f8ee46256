import { OWN_LENGTH } from '#core/slots/start-pattern.ts'

type Starts = {
  /** Minutes; NaN while the field is empty. */
  readonly duration: number
  readonly step: number | null
  readonly isPacked: boolean
}

/** Says in words when appointments of a type start. Source: rules T63 and T64. */
export function describeStarts({ duration, step, isPacked }: Starts): string {
  const minutes = step === OWN_LENGTH ? duration : step
  const often =
    minutes === null || Number.isNaN(minutes)
      ? 'Customers can start as often as in the other appointment types of this calendar.'
      : `Customers can start every ${minutes} minutes.`
  return isPacked
    ? `${often} They can also start right after another appointment, or end right before one.`
    : often
}
