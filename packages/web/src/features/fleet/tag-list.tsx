export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className="tags">
      {tags.map((tag) => (
        <span key={tag} className="label">
          {tag}
        </span>
      ))}
    </span>
  );
}
