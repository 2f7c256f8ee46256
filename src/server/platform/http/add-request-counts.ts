import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import type { AddRequestCounts } from './request-count.ts'

const addCounts = prepareStatement<{ key: string; count: number }>(
  'add-request-counts',
  `insert into request_counts as counted (key, window_start_ms, count)
  select * from unnest($1::text[], $2::bigint[], $3::integer[]) as here (key, window_start_ms, count)
  order by key
  on conflict (key) do update set
    count = case
      when counted.window_start_ms < excluded.window_start_ms then excluded.count
      else counted.count + excluded.count end,
    window_start_ms = greatest(counted.window_start_ms, excluded.window_start_ms)
  returning key, count`,
)

/**
 * Adds the counts of one process to the shared counts. Each key has one row, for its newest window. Rows are updated in
 * key order, so that concurrent processes cannot deadlock.
 */
export function addRequestCounts(db: Db): AddRequestCounts {
  return async (counts) => {
    const rows = await addCounts(db, [
      counts.map(({ key }) => key),
      counts.map(({ windowStartMs }) => windowStartMs),
      counts.map(({ count }) => count),
    ])
    return new Map(rows.map(({ key, count }) => [key, count]))
  }
}
