/** What the work gives when it ends in so many milliseconds. Undefined when it does not, and the work goes on. */
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
