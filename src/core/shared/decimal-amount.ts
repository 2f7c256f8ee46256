/** `40.00`: cents as machines write amounts, in files and requests, whatever language people read. */
export function toDecimalAmount(amountCents: number): string {
  return (amountCents / 100).toFixed(2)
}
