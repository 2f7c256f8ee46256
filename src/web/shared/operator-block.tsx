import type { SitePageData } from '#contract/pages/page-data.ts'
import { classNames } from '#web/ui/class-names.ts'
import { TextWithPhoneLinks } from './phone-text.tsx'

type OperatorBlockProps = { site: SitePageData; className?: string | undefined }

/** Shows the operator of this installation and their contact details, or a note that they are not configured. Source: rule W3. */
export function OperatorBlock({ site: { operator, sandbox }, className }: OperatorBlockProps) {
  const { name, address, email, phone, phone_numbers } = operator
  return (
    <address className={classNames('break-words text-ink-soft not-italic', className)}>
      <span dir="auto" className={name === null ? 'block' : 'block font-semibold text-ink'}>
        {name ?? unnamed(sandbox)}
      </span>
      {address.map((line) => (
        <span key={line} dir="auto" className="block">
          {line}
        </span>
      ))}
      {phone !== null && <TextWithPhoneLinks phone={phone} numbers={phone_numbers} linkClass={LINK_CLASS} />}
      {email !== null && (
        <a href={`mailto:${encodeURI(email)}`} className={LINK_CLASS}>
          {email}
        </a>
      )}
    </address>
  )
}

function unnamed(sandbox: boolean): string {
  return sandbox
    ? 'This is a trial site. Its operator hasn’t given a name yet.'
    : 'The operator of this site hasn’t given a name yet.'
}

const LINK_CLASS = 'flex min-h-11 items-center break-all underline underline-offset-4 hover:text-ink'
