import type { UseFormRegisterReturn } from 'react-hook-form'
import type { RefusedStyle } from '#contract/calendars/branding.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { TextArea } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { BRANDING_LABELS } from './use-branding-form.ts'

type CssFieldProps = {
  field: UseFormRegisterReturn
  refused: readonly RefusedStyle[]
  error: string | undefined
}

/** Custom CSS with what of it cannot be used, line by line, while it is typed. Source: rules K7 and K8. */
export function CssField({ field, refused, error }: CssFieldProps) {
  return (
    <div className="flex flex-col gap-3">
      <TextArea
        label={BRANDING_LABELS.custom_css}
        rows={6}
        maxLength={LIMITS.customCss}
        spellCheck={false}
        autoComplete="off"
        className="[&_textarea]:max-h-96 [&_textarea]:font-mono [&_textarea]:text-sm"
        placeholder={'h1 { letter-spacing: 0.02em }\n[data-part="welcome"] { font-size: 1.125rem }'}
        hint={
          <>
            For the booking page alone. <code>:scope</code> is the whole page;{' '}
            <code>[data-part="header"]</code>, <code>"welcome"</code> and <code>"footer"</code> are its parts.
            Prices and the buttons that book or pay keep their look, and visitors can always see the page
            without your CSS.
          </>
        }
        error={refused.length > 0 ? undefined : error}
        {...field}
      />
      <div role="status" className="empty:-mt-3">
        {refused.length > 0 && (
          <Notice tone="warning" title="This cannot be used">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the arrow keys */}
            <ul tabIndex={0} className="max-h-60 overflow-y-auto">
              {refused.map(({ line, message }) => (
                <li key={`${line} ${message}`} className="break-words">
                  Line {line}: {message}
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </div>
  )
}
