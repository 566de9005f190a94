"""Rows of a table, many at a time: read by key, then inserted or updated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from sqlalchemy import Column, Connection, RowMapping, Table, bindparam, insert, select, update

# Databases limit the number of parameters of a query.
AT_ONCE = 500
Key = tuple[Any, ...]


def known_rows(
    connection: Connection, table: Table, key: Sequence[str], column: Column, values: Iterable[str]
) -> dict[Key, RowMapping]:
    """Return the rows whose column has one of these values.

    Args:
        connection: in whose transaction.
        table: of nbgrader.
        key: the names of the columns that tell the rows apart.
        column: to look in.
        values: to look for.
    """
    wanted, found = list(values), {}
    for start in range(0, len(wanted), AT_ONCE):
        query = select(table).where(column.in_(wanted[start : start + AT_ONCE]))
        for row in connection.execute(query).mappings():
            found[tuple(row[name] for name in key)] = row
    return found


def save(
    connection: Connection,
    table: Table,
    key: Sequence[str],
    known: Mapping[Key, RowMapping],
    rows: Iterable[dict[str, Any]],
) -> dict[Key, str]:
    """Insert the rows that are not known, update those that differ.

    Columns that a row does not name stay as they are.

    Returns:
        The ids of all these rows, by key.
    """
    new, changed, ids = [], [], {}
    for row in rows:
        place = tuple(row[name] for name in key)
        old = known.get(place)
        if old is None:
            new.append({"id": uuid4().hex, **row})
        elif any(old[name] != value for name, value in row.items()):
            changed.append({**row, "row_id": old["id"]})
        ids[place] = new[-1]["id"] if old is None else old["id"]
    if new:
        connection.execute(insert(table), new)
    if changed:
        connection.execute(update(table).where(table.c.id == bindparam("row_id")), changed)
    return ids
