/** Returns the result of `work`, or undefined when it takes longer than `limitMs`; the work then continues. */
export async function withTimeout<Given>(work: Promise<Given>, limitMs: number): Promise<Given | undefined> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
