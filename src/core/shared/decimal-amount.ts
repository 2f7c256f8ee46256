/** Formats cents as `40.00`, the machine-readable form for files and requests. */
export function toDecimalAmount(amountCents: number): string {
  return (amountCents / 100).toFixed(2)
}
