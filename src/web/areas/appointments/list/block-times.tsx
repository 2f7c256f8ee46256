type BlockTimesProps = {
  /** The whole range: `10:30 – 11:30 AM`. */
  times: string
  /** The start alone, for a block that is too narrow for the range. */
  clock: string
}

/**
 * The times of a block on one line: the range, or only the start where the range does not fit whole. Screen readers get the
 * range either way.
 */
export function BlockTimes({ times, clock }: BlockTimesProps) {
  // One of the two widths is negative and becomes 0, the other is larger than the line.
  const range = `${times.length * CHARACTER_CH}ch`
  return (
    <span className="block h-5 w-full shrink-0 overflow-hidden whitespace-nowrap tabular-nums">
      <span
        className="inline-block overflow-hidden align-top"
        style={{ maxWidth: `calc((100% - ${range}) * 9999)` }}
      >
        {times}
      </span>
      <span
        aria-hidden="true"
        data-text={clock}
        className="inline-block overflow-hidden align-top before:content-[attr(data-text)]"
        style={{ maxWidth: `calc((${range} - 100%) * 9999)` }}
      />
    </span>
  )
}

/** A character of a range is at most so wide on average, in widths of a digit. */
const CHARACTER_CH = 0.9
