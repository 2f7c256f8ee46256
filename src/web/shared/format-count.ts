const count = new Intl.NumberFormat('en-US')

/** `1,204` */
export function formatCount(number: number): string {
  return count.format(number)
}
