import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type TableColumn<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** Use `end` for numbers and amounts. */
  align?: 'start' | 'end' | undefined
}

type TableProps<Row> = {
  /** The accessible name of the table. */
  caption: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** True for a table with many columns, which becomes blocks in every narrow part of a page. For the owner's pages only. */
  isWide?: boolean | undefined
}

/** A table. On phones, each row becomes a block with the column headers next to the values. */
export function Table<Row>({ caption, columns, rows, rowKey, isWide = false }: TableProps<Row>) {
  const padding = isWide ? 'px-2' : 'px-3'
  const table = (
    <table className={classNames('table-stack w-full text-start text-base', isWide && 'table-stack-wide')}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.id}
              scope="col"
              className={classNames(
                'border-b border-line py-2 text-sm font-semibold text-ink-soft',
                padding,
                column.align === 'end' ? 'text-end' : 'text-start',
              )}
            >
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} className="border-line not-last:border-b">
            {columns.map((column) => (
              <td
                key={column.id}
                data-header={column.header}
                className={classNames('py-3', padding, column.align === 'end' && 'text-end tabular-nums')}
              >
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
  return isWide ? <div className="@container">{table}</div> : table
}
