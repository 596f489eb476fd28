/* SPDX-License-Identifier: MIT */
/*
 * Numbers as bytes in files: the order is always stated, never the machine's.
 */
#ifndef STORAGE_BYTES_H
#define STORAGE_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t bytes_get_le16(const uint8_t *from)
{
	uint16_t value;

	memcpy(&value, from, sizeof(value));
	return le16toh(value);
}

static inline uint32_t bytes_get_le32(const uint8_t *from)
{
	uint32_t value;

	memcpy(&value, from, sizeof(value));
	return le32toh(value);
}

static inline uint64_t bytes_get_le64(const uint8_t *from)
{
	uint64_t value;

	memcpy(&value, from, sizeof(value));
	return le64toh(value);
}

static inline uint64_t bytes_get_be64(const uint8_t *from)
{
	uint64_t value;

	memcpy(&value, from, sizeof(value));
	return be64toh(value);
}

static inline void bytes_put_le32(uint8_t *to, uint32_t value)
{
	value = htole32(value);
	memcpy(to, &value, sizeof(value));
}

static inline void bytes_put_le64(uint8_t *to, uint64_t value)
{
	value = htole64(value);
	memcpy(to, &value, sizeof(value));
}

static inline void bytes_put_be64(uint8_t *to, uint64_t value)
{
	value = htobe64(value);
	memcpy(to, &value, sizeof(value));
}

#endif
