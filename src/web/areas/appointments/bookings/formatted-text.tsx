type FormattedTextProps = { part: 'welcome' | 'footer'; html: string | undefined }

/** A text of the owner, as HTML that the server wrote of it. Source: rule K5. */
export function FormattedText({ part, html }: FormattedTextProps) {
  if (!html) return null
  return (
    <div
      data-part={part}
      className="formatted"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing of it was typed as HTML, the server escapes it
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
