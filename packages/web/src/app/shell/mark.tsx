export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#1f5fd6" />
      <path d="M24.4 11.2A9.6 9.6 0 1 1 20 7.3" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
      <circle cx="23.3" cy="8.3" r="2.5" fill="#5eead4" />
      <path d="M12.2 19.9a2.7 2.7 0 0 1 .2-5.4 3.9 3.9 0 0 1 7.4.9 2.3 2.3 0 0 1-.1 4.5z" fill="#fff" />
    </svg>
  );
}
