/** Money as a person reads it: €40.00. */
export function formatMoney({
  amountCents,
  currency,
}: {
  readonly amountCents: number
  readonly currency: string
}): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amountCents / 100)
}
