/** A queue with one line per account: each account waits for at most one job of every other account. */
export type FairQueue<Job> = {
  add(account: string, job: Job): void
  /** Takes the next job; null when there is none. */
  take(): Job | null
}

export function buildFairQueue<Job>(): FairQueue<Job> {
  /** Jobs by account; the order of the map is the order of turns. */
  const jobs = new Map<string, Job[]>()
  return {
    add(account, job) {
      const own = jobs.get(account)
      if (own === undefined) jobs.set(account, [job])
      else own.push(job)
    },
    take() {
      const [next] = jobs
      if (next === undefined) return null
      const [account, own] = next
      const job = own.shift() ?? null
      jobs.delete(account)
      if (own.length > 0) jobs.set(account, own)
      return job
    },
  }
}
