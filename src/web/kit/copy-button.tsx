import { useEffect, useState } from 'react'
import { buttonClass } from '#web/ui/button.tsx'
import { Check } from '#web/ui/icons/check.ts'
import { Copy } from '#web/ui/icons/copy.ts'
import { toast } from '#web/ui/toast.tsx'

type CopyButtonProps = {
  /** The text to copy. */
  text: string
  /** The accessible name and tooltip: "Copy booking reference". */
  label: string
  /** The text of the toast after copying. */
  done: string
  /** The visible text of the button. If absent, the button shows an icon. */
  children?: string | undefined
  /** True if copying is the main action of the screen. */
  isPrimary?: boolean
}

/** How long the button shows a check mark after copying, in ms. */
const CHECK_MS = 2_000

/** Lets the user copy a text to the clipboard. Reports a failure in a toast. */
export function CopyButton({ text, label, done, children, isPrimary = false }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), CHECK_MS)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      toast.success(done)
    } catch {
      toast.error('Your browser blocked copying. Please select the text and copy it yourself.')
    }
  }
  const Icon = copied ? Check : Copy
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={copy}
      className={
        children === undefined
          ? 'inline-grid size-9 shrink-0 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink touch:size-11'
          : buttonClass(isPrimary ? { variant: 'primary' } : { size: 'sm' }, 'shrink-0')
      }
    >
      <Icon aria-hidden="true" className="size-4" />
      {children}
    </button>
  )
}
