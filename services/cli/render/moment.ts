/** A time as a person reads it, in the zone of the machine: `2026-03-12 14:05`, and only the day at midnight of it or of UTC. */
export function moment(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  if (/T00:00:00(\.0+)?(Z|\+00:00)$/.test(iso)) return iso.slice(0, 10);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${String(time.getFullYear()).padStart(4, '0')}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`;
  return clock === '00:00' ? day : `${day} ${clock}`;
}

/** `since 2026-03-12`, `from … to …`, `until …`; half-open, as all intervals here. */
export function stretch(from: string | undefined, to: string | undefined): string {
  if (from && to) return `from ${moment(from)} to ${moment(to)}`;
  if (from) return `since ${moment(from)}`;
  return to ? `until ${moment(to)}` : 'always';
}
