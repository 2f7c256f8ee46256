import type { CheckedDomainRecord } from '#contract/addresses/domains.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { VERDICT_WORDS } from './domain-words.ts'

type DomainRecordsProps = {
  records: readonly CheckedDomainRecord[]
  /** Whether what was found is of a look just now. */
  isLooked: boolean
}

/** The records to set, each with what was found. */
export function DomainRecords({ records, isLooked }: DomainRecordsProps) {
  return (
    <ol aria-label="DNS records" className="flex w-full flex-col gap-4">
      {records.map((record) => (
        <li key={record.type} className="rounded-control border border-line p-4">
          <div className="mb-3 flex flex-wrap items-center gap-2">
            <h3 className="font-semibold">{record.type} record</h3>
            {isLooked && (
              <Badge tone={VERDICT_WORDS[record.verdict].tone}>{VERDICT_WORDS[record.verdict].text}</Badge>
            )}
          </div>
          <dl className="flex flex-col gap-3">
            <Entry term="Name" values={[record.name]} what={`name of the ${record.type} record`} />
            {record.wanted.length > 0 ? (
              <Entry
                term={toTerm(record)}
                values={record.wanted}
                what={`value of the ${record.type} record`}
              />
            ) : (
              <Entry term="Value" values={[]} what="" none="Please remove this record." />
            )}
            {isLooked && showsFound(record) && (
              <Entry term="Found" values={record.found} what="" none="Nothing" />
            )}
          </dl>
        </li>
      ))}
    </ol>
  )
}

/** Without an answer nobody knows whether the record exists. */
function showsFound({ verdict, found }: CheckedDomainRecord): boolean {
  return verdict !== 'correct' && (verdict !== 'unknown' || found.length > 0)
}

/** Of several addresses one is enough. */
function toTerm({ wanted }: CheckedDomainRecord): string {
  return wanted.length > 1 ? 'Value (one of them, or all)' : 'Value'
}

type EntryProps = {
  term: string
  values: readonly string[]
  /** What is copied; empty where nothing is. */
  what: string
  /** What is said without values. */
  none?: string
}

function Entry({ term, values, what, none = '' }: EntryProps) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-soft">{term}</dt>
      {values.length === 0 && <dd>{none}</dd>}
      {values.map((value) => (
        <dd key={value} className="mt-1 flex items-center gap-1 rounded-control bg-sunken ps-3">
          <code className="min-w-0 flex-1 py-2 text-sm break-all">{value}</code>
          {what !== '' && <CopyButton text={value} label={`Copy the ${what}`} done="Copied to clipboard!" />}
        </dd>
      ))}
    </div>
  )
}
