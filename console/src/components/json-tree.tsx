import styles from './json-tree.module.css';

/** Deeper or longer objects are collapsed initially. */
const OPEN_DEPTH = 2;
const OPEN_ENTRIES = 50;

/** Shows a JSON value as a tree of plain text, without links or markup. */
export const JsonTree = ({ value }: { value: unknown }) => (
  <div className={styles['tree']}>
    <Node value={value} depth={0} />
  </div>
);

function Node({ name, value, depth }: { name?: string; value: unknown; depth: number }) {
  const label = name !== undefined && <span className={styles['key']}>{name}: </span>;
  if (typeof value !== 'object' || value === null) {
    const look = typeof value === 'string' ? styles['string'] : styles['other'];
    return (
      <div className={styles['item']}>
        {label}
        <bdi className={look}>{JSON.stringify(value)}</bdi>
      </div>
    );
  }
  const entries = Object.entries(value as Record<string, unknown>);
  const [left, right] = Array.isArray(value) ? '[]' : '{}';
  return (
    <details open={depth < OPEN_DEPTH && entries.length <= OPEN_ENTRIES}>
      <summary>
        {label}
        {left}
        <span className={styles['size']}>{entries.length}</span>
        {right}
      </summary>
      <ul>
        {entries.map(([key, each]) => (
          <li key={key}>
            <Node name={key} value={each} depth={depth + 1} />
          </li>
        ))}
      </ul>
    </details>
  );
}
