import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { listRowsPrepared } from '#server/platform/db/prepared-statement.ts'
import type { AddRequestCounts } from './request-count.ts'

/**
 * Adds what one process counted to what all did. A key has one row, of its newest window. The order of the keys keeps
 * processes that add at the same moment from waiting for each other in a circle.
 */
export function addRequestCounts(db: Db): AddRequestCounts {
  return async (counts) => {
    const keys = counts.map(({ key }) => key)
    const starts = counts.map(({ windowStartMs }) => windowStartMs)
    const added = counts.map(({ count }) => count)
    const query = sql<{ key: string; count: number }>`
      insert into request_counts as counted (key, window_start_ms, count)
      select * from unnest(${keys}::text[], ${starts}::bigint[], ${added}::integer[]) as here (key, window_start_ms, count)
      order by key
      on conflict (key) do update set
        count = case
          when counted.window_start_ms < excluded.window_start_ms then excluded.count
          else counted.count + excluded.count end,
        window_start_ms = greatest(counted.window_start_ms, excluded.window_start_ms)
      returning key, count`.compile(db)
    const rows = await listRowsPrepared(db, query)
    return new Map(rows.map(({ key, count }) => [key, count]))
  }
}
