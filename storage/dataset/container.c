/* SPDX-License-Identifier: MIT */
#include "storage/dataset/container.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/byte_stream.h"
#include "storage/bytes.h"
#include "storage/file.h"
#include "storage/pack/source.h"
#include "storage/zstd.h"

#define INDEX_NAME "index.json"
#define INDEX_BYTES_MAX 65536u
#define FILES_MAX 1024u

/* Where the header of the first member of a tar says what it is. */
#define TAR_MAGIC "ustar"
#define TAR_MAGIC_OFFSET 257u
#define HEAD_BYTES 512u

/* The start of a file, or of what is packed in it. */
struct head {
	uint8_t bytes[HEAD_BYTES + 1]; /* zeroes behind its end */
	int fd;			       /* -1: of what is packed */
	uint64_t file_bytes;
	bool sealed; /* it unpacks only through a window that is too large */
};

static bool is_tar(const struct head *head)
{
	return memcmp(head->bytes + TAR_MAGIC_OFFSET, TAR_MAGIC,
		      sizeof(TAR_MAGIC) - 1) == 0;
}

/* u32 count | u32 offsets[count + 1], the last one being the file's size:
 * what MDS and LitData begin with. Tells the first offset behind the table. */
static bool has_offsets(const struct head *head, uint64_t *table_bytes,
			uint32_t *first)
{
	uint32_t count = bytes_get_le32(head->bytes);
	uint8_t last[4];

	*table_bytes = 8 + 4 * (uint64_t)count;
	*first = bytes_get_le32(head->bytes + 4);
	return head->fd >= 0 && count && *table_bytes <= head->file_bytes &&
	       file_read_at(head->fd, last, sizeof(last), *table_bytes - 4) ==
		       0 &&
	       bytes_get_le32(last) == head->file_bytes;
}

/* The table is followed by the columns, a JSON object. */
static bool is_mds(const struct head *head)
{
	uint64_t table_bytes;
	uint32_t first;
	char brace;

	return has_offsets(head, &table_bytes, &first) && first > table_bytes &&
	       file_read_at(head->fd, &brace, 1, table_bytes) == 0 &&
	       brace == '{';
}

static bool is_litdata(const struct head *head)
{
	uint64_t table_bytes;
	uint32_t first;

	return has_offsets(head, &table_bytes, &first) && first == table_bytes;
}

/* CRC-32C, as TFRecord masks it. */
static uint32_t masked_crc(const uint8_t *bytes, size_t size)
{
	uint32_t crc = ~UINT32_C(0);

	for (size_t bit = 0; bit < size * 8; bit++) {
		uint32_t low = (crc ^ (bytes[bit / 8] >> bit % 8)) & 1;

		crc = crc >> 1 ^ (low ? UINT32_C(0x82f63b78) : 0);
	}
	crc = ~crc;
	return (crc >> 15 | crc << 17) + UINT32_C(0xa282ead8);
}

/* u64 length | u32 masked CRC of the length | the record | its CRC. */
static bool is_tfrecord(const struct head *head)
{
	return head->file_bytes >= 16 &&
	       masked_crc(head->bytes, 8) == bytes_get_le32(head->bytes + 8);
}

static bool is_parquet(const struct head *head)
{
	return memcmp(head->bytes, "PAR1", 4) == 0;
}

/* Nobody can tell what is in it; taken for an example, a tar would be one. */
static bool is_sealed(const struct head *head)
{
	return head->sealed;
}

#define WRITE_EACH                                                             \
	", write each example to a file of its own and have echosim pack "     \
	"make a dataset of the folder"

/* Each with what an index beside such files has in it. */
static const struct kind {
	struct container container;
	bool (*is)(const struct head *head);
	const char *index[2]; /* keys, both; NULL: no index */
} kinds[] = {
	{ { "tars", "echosim pack makes a dataset of them", true, false },
	  is_tar,
	  { NULL } },
	{ { "MDS shards of Mosaic streaming",
	    "read them with StreamingDataset" WRITE_EACH, false, false },
	  is_mds,
	  { "\"shards\"", "\"raw_data\"" } },
	{ { "LitData chunks", "read them with StreamingDataset" WRITE_EACH,
	    false, false },
	  is_litdata,
	  { "\"chunks\"", "\"chunk_bytes\"" } },
	{ { "TFRecord files", "read them with tf.data" WRITE_EACH, false,
	    false },
	  is_tfrecord,
	  { NULL } },
	{ { "Parquet files", "read their rows with pyarrow" WRITE_EACH, false,
	    false },
	  is_parquet,
	  { NULL } },
	{ { "zstd files with a window of more than 128 MiB",
	    "zstd with --long=27 or less writes ones that can", false, true },
	  is_sealed,
	  { NULL } },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const struct kind *kind_of(const struct head *head)
{
	for (size_t index = 0; index < KINDS; index++)
		if (kinds[index].is(head))
			return &kinds[index];
	return NULL;
}

/* Puts what the file unpacks to in place of its own bytes. */
static bool unpack(struct head *head, const char *path)
{
	struct byte_stream *stream;
	struct fault ignored = { 0 };
	size_t filled = 0, count = 1;
	bool packed;

	if (byte_stream_open(&stream, path, &ignored))
		return false;
	packed = strcmp(byte_stream_packing(stream), "nothing") != 0;
	memset(head->bytes, 0, sizeof(head->bytes));
	while (packed && filled < HEAD_BYTES && count) {
		if (byte_stream_read(stream, head->bytes + filled,
				     HEAD_BYTES - filled, &count, &ignored)) {
			head->sealed =
				strstr(ignored.text, FRAME_WINDOW_TOO_LARGE);
			break;
		}
		filled += count;
	}
	byte_stream_close(stream);
	head->fd = -1;
	return packed;
}

static const struct kind *look_into(const char *path)
{
	struct head head = { .fd = -1 };
	const struct kind *kind = NULL;
	size_t size;
	int fd;

	fd = file_open(AT_FDCWD, path, 0, &head.file_bytes);
	if (fd < 0)
		return NULL;
	head.fd = fd;
	size = head.file_bytes < HEAD_BYTES ? (size_t)head.file_bytes :
					      HEAD_BYTES;
	if (size && file_read_at(fd, head.bytes, size, 0) == 0)
		kind = kind_of(&head);
	if (!kind && byte_stream_unpacks(head.bytes) && unpack(&head, path))
		kind = kind_of(&head);
	close(fd);
	return kind;
}

const struct container *container_of_file(const char *path)
{
	const struct kind *kind = look_into(path);

	return kind ? &kind->container : NULL;
}

int container_refuse(const struct container *container, const char *path,
		     struct fault *fault)
{
	fault_set(fault, NULL, 0, "%s: found %s, which %s: %s", path,
		  container->name,
		  container->is_sealed ? "cannot be looked into" :
					 "hold many examples each",
		  container->proceed);
	return -EINVAL;
}

/* The kind whose index the file is; or NULL. */
static const struct container *container_of_index(const char *path)
{
	const struct container *found = NULL;
	uint64_t bytes;
	char *text;
	int fd = file_open(AT_FDCWD, path, 0, &bytes);

	if (fd < 0)
		return NULL;
	if (bytes > INDEX_BYTES_MAX)
		bytes = INDEX_BYTES_MAX;
	text = calloc(1, bytes + 1);
	if (text && file_read_at(fd, text, bytes, 0) == 0)
		for (size_t index = 0; index < KINDS; index++) {
			const char *const *keys = kinds[index].index;

			if (keys[0] && strstr(text, keys[0]) &&
			    strstr(text, keys[1]))
				found = &kinds[index].container;
		}
	free(text);
	close(fd);
	return found;
}

static bool is_index(const char *name)
{
	const char *last = strrchr(name, '/');

	return strcmp(last ? last + 1 : name, INDEX_NAME) == 0;
}

bool container_consider(struct container_look *look, const char *name,
			uint64_t bytes)
{
	bool stands_for_all = (look->seen & (look->seen - 1)) == 0;
	char *path = NULL;

	_Static_assert(
		KINDS <= sizeof(((struct container_look *)0)->kind_bytes) /
				 sizeof(uint64_t),
		"a place for every kind");
	look->seen++;
	if (stands_for_all || is_index(name))
		path = file_path(look->folder, name);
	if (path && is_index(name) && !look->indexed)
		look->indexed = container_of_index(path);
	if (path && stands_for_all) {
		const struct kind *kind = look_into(path);

		*(kind ? &look->kind_bytes[kind - kinds] :
			 &look->other_bytes) += bytes;
	}
	free(path);
	return look->seen < FILES_MAX;
}

const struct container *container_found(const struct container_look *look)
{
	const struct container *found = look->indexed;
	uint64_t all_bytes = look->other_bytes;

	for (size_t index = 0; index < KINDS; index++)
		all_bytes += look->kind_bytes[index];
	for (size_t index = 0; index < KINDS && !found; index++)
		if (look->kind_bytes[index] > all_bytes / 2)
			found = &kinds[index].container;
	return found;
}

int container_of_folder(const char *path, const struct container **found,
			struct fault *fault)
{
	struct container_look look = { .folder = path };
	struct source *source;
	uint64_t bytes;
	int got;

	got = source_open_folder(&source, path, fault);
	if (got)
		return got;
	while ((got = source_next(source, &bytes, fault)) > 0)
		if (!container_consider(&look, source_folder_name(source),
					bytes))
			break;
	source_close(source);
	*found = container_found(&look);
	return got < 0 ? got : 0;
}
